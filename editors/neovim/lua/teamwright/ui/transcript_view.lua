-- Keeps a pane in step with a transcript, or with what one agent has in it. Its keys act on what is under the cursor.
local Pane = require("teamwright.ui.pane")
local actions = require("teamwright.actions")
local entries = require("teamwright.ui.entries")

local EARLIER = "earlier"

---@class teamwright.TranscriptView
---@field pane teamwright.Pane
---@field transcript? teamwright.TranscriptState
---@field shows fun(entry: teamwright.Entry): boolean
---@field on_earlier? fun() how the page before is read
local TranscriptView = {}
TranscriptView.__index = TranscriptView

---@param name string the buffer's
---@param shows? fun(entry: teamwright.Entry): boolean which entries; all without it
---@return teamwright.TranscriptView
function TranscriptView.new(name, shows)
  local view = setmetatable({
    pane = Pane.new(name, "teamwright"),
    shows = shows or function()
      return true
    end,
  }, TranscriptView)
  vim.keymap.set("n", "<CR>", function()
    view:open_at_cursor()
  end, { buffer = view.pane.bufnr, desc = "Open what is under the cursor" })
  vim.keymap.set("n", "a", function()
    view:offer_at_cursor()
  end, { buffer = view.pane.bufnr, desc = "What can be done with what is under the cursor" })
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = view.pane.bufnr,
    callback = function()
      view:show(nil)
    end,
  })
  return view
end

---@param transcript? teamwright.TranscriptState
function TranscriptView:show(transcript)
  if self.transcript then
    self.transcript.watchers[self] = nil
  end
  self.transcript = transcript
  if transcript then
    transcript.watchers[self] = function(op)
      self:_take(op)
    end
  end
  self:_draw_all()
end

function TranscriptView:_draw_all()
  if not vim.api.nvim_buf_is_valid(self.pane.bufnr) then
    return
  end
  local blocks = {}
  if self.transcript and self.transcript.more and self.on_earlier then
    local block = { lines = { "╭ <CR> shows what was said before" }, folds = {}, parts = {} }
    block.marks = { { 0, 0, -1, "TeamwrightKey" } }
    table.insert(blocks, { id = EARLIER, block = block })
  end
  for _, id in ipairs(self.transcript and self.transcript.order or {}) do
    local entry = self.transcript.by_id[id]
    if self.shows(entry) then
      table.insert(blocks, { id = id, block = entries.block(entry) })
    end
  end
  self.pane:replace(blocks)
end

---@param entryId string
---@return integer? where its block belongs: behind that of the nearest entry before it
function TranscriptView:_place(entryId)
  for place = self.transcript:place(entryId) - 1, 1, -1 do
    local before = self.pane.by_id[self.transcript.order[place]]
    if before then
      return before.index + 1
    end
  end
  return self.pane.by_id[EARLIER] and 2 or 1
end

---@param op? teamwright.PatchOp
function TranscriptView:_take(op)
  if not op then
    return self:_draw_all()
  elseif op.op == "remove" then
    return self.pane:remove(op.entryId)
  end
  local entry = op.op == "upsert" and op.entry or self.transcript.by_id[op.entryId]
  if not self.shows(entry) then
    return
  end
  if op.op == "append" and self.pane:append(op.entryId, op.part, op.text) then
    return
  end
  self.pane:upsert(entry.entryId, entries.block(entry), self:_place(entry.entryId))
end

---@param window integer
---@return teamwright.Entry? what its cursor is on
---@return string? name of the part
function TranscriptView:at_cursor(window)
  local row = vim.api.nvim_win_get_cursor(window)[1] - 1
  local block = self.pane:at(row)
  local entry = block and self.transcript and self.transcript.by_id[block.id]
  if entry then
    return entry, block.parts[row - block.start]
  end
end

---What is folded opens, a link leads to its place, a decision is asked, and anything else does what it offers first.
function TranscriptView:open_at_cursor()
  local block = self.pane:at(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if block and block.id == EARLIER then
    return self.on_earlier()
  end
  local entry, name = self:at_cursor(0)
  if not entry then
    return
  end
  local part = name and self.transcript:part(entry.entryId, name)
  if part and part.kind == "link" then
    return actions.follow_link(part.data)
  elseif vim.fn.foldlevel(".") > 0 then
    return vim.cmd("normal! za")
  end
  local primary = vim.iter(entry.actions):find(function(action)
    return action.primary
  end)
  if primary and not (entry.decisionId and entry.state == "waiting") then
    return actions.perform(primary, entry)
  end
  local hunks = actions.with_hunks(entry)
  if hunks then
    return require("teamwright.ui.review").open(entry)
  elseif #entries.actions(entry) > 0 then
    actions.offer(entry)
  end
end

---The actions of the part under the cursor, else of its entry, else what waits for the user.
function TranscriptView:offer_at_cursor()
  local entry, name = self:at_cursor(0)
  if entry and name and actions.offer(entry, name) then
    return
  elseif entry and actions.offer(entry) then
    return
  end
  require("teamwright.decisions").choose()
end

return TranscriptView
