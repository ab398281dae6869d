-- Proposed changes in diff mode: the user's file on the left, the proposal on the right, a verdict for each hunk.
local Proposal = require("teamwright.proposal")
local asking = require("teamwright.ui.asking")
local client = require("teamwright.client")
local text = require("teamwright.ui.text")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("teamwright.review")
local SIGNS = { accepted = { "✓ accepted", "TeamwrightAccepted" }, refused = { "✗ refused", "TeamwrightRefused" } }

---@class teamwright.Review
---@field proposal teamwright.Proposal
---@field tab integer
---@field left integer window
---@field right integer window
---@field place integer of the file that is shown
local Review = {}
Review.__index = Review

---@return teamwright.DiffPart
function Review:file()
  return self.proposal.files[self.place]
end

---@param part integer
---@return integer row of the proposal, from 0
local function row_of(file, part)
  local hunk = vim.iter(file.data.hunks):find(function(each)
    return each.index == part
  end)
  return hunk and math.max(0, hunk.newStart - 1) or 0
end

function Review:mark()
  local file, bufnr = self:file(), vim.api.nvim_win_get_buf(self.right)
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  local parts, last = Proposal.parts(file), vim.api.nvim_buf_line_count(bufnr) - 1
  for number, part in ipairs(parts) do
    local sign = SIGNS[self.proposal.verdicts[file.data.uri][part]] or { "undecided", "TeamwrightKey" }
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, math.min(row_of(file, part), last), 0, {
      virt_text = { { (" %d/%d %s "):format(number, #parts, sign[1]), sign[2] } },
      virt_text_pos = "right_align",
    })
  end
  local path = text.in_bar(file.text)
  local where = ("%s · file %d of %d"):format(path, self.place, #self.proposal.files)
  local keys = "a/x hunk · A/X file · ]f [f · s settle · q later"
  vim.wo[self.right].winbar = ("%%#TeamwrightRun# %s %%#TeamwrightMeta#%s%%<"):format(where, keys)
  vim.wo[self.left].winbar = ("%%#TeamwrightMeta# %s, as it is"):format(path)
end

---@return integer? the hunk at or before the cursor
function Review:part_at_cursor()
  local file = self:file()
  local row = vim.api.nvim_win_get_cursor(self.right)[1] - 1
  local parts = Proposal.parts(file)
  local found = parts[1]
  for _, part in ipairs(parts) do
    if row_of(file, part) <= row then
      found = part
    end
  end
  return found
end

---@param verdict teamwright.Verdict
---@param whole boolean
function Review:judge(verdict, whole)
  local file = self:file()
  for _, part in ipairs(whole and Proposal.parts(file) or { self:part_at_cursor() }) do
    self.proposal.verdicts[file.data.uri][part] = verdict
  end
  self:mark()
  self:go_to_next()
end

---To the next hunk without a verdict, in this file or the next one.
function Review:go_to_next()
  local file = self:file()
  for _, part in ipairs(Proposal.parts(file)) do
    if not self.proposal.verdicts[file.data.uri][part] then
      return self:go_to(part)
    end
  end
  self:step(1)
end

---@param part integer
function Review:go_to(part)
  local last = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(self.right))
  vim.api.nvim_win_set_cursor(self.right, { math.min(row_of(self:file(), part) + 1, last), 0 })
end

function Review:close()
  if vim.api.nvim_tabpage_is_valid(self.tab) then
    vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(self.tab))
  end
end

function Review:settle()
  local function go()
    self.proposal:settle(function()
      self:close()
    end)
  end
  local undecided = self.proposal:undecided()
  if undecided == 0 then
    return go()
  end
  local refuse = ("Refuse the %s without a verdict"):format(text.count(undecided, "hunk"))
  asking.select({ refuse, "Go on reviewing" }, { prompt = "Settle" }, function(choice)
    if choice == refuse then
      go()
    end
  end)
end

---@param step integer
function Review:step(step)
  local place = self.place + step
  if place >= 1 and place <= #self.proposal.files then
    self.place = place
    self:show()
  end
end

---@param bufnr integer
function Review:map_keys(bufnr)
  local function map(lhs, desc, method, ...)
    local arguments = { ... }
    vim.keymap.set("n", lhs, function()
      self[method](self, unpack(arguments))
    end, { buffer = bufnr, nowait = true, desc = desc })
  end
  map("a", "Accept the hunk", "judge", "accepted", false)
  map("x", "Refuse the hunk", "judge", "refused", false)
  map("A", "Accept the file", "judge", "accepted", true)
  map("X", "Refuse the file", "judge", "refused", true)
  map("]f", "Next file", "step", 1)
  map("[f", "Previous file", "step", -1)
  map("s", "Settle", "settle")
  map("q", "Later", "close")
end

---@param content string
---@param filetype string
---@return integer bufnr
local function scratch(content, filetype)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].modifiable = true
  local lines = text.lines(content)
  if #lines > 1 and lines[#lines] == "" then
    table.remove(lines)
  end
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].filetype = filetype
  return bufnr
end

---@param content teamwright.ChangesOpenResult
function Review:draw(content)
  local file = self:file()
  local path = vim.uri_to_fname(file.data.uri)
  local filetype = vim.filetype.match({ filename = path }) or ""
  vim.cmd("diffoff!")
  local theirs = scratch(content.after, filetype)
  local ours = file.data.change == "create" and scratch("", filetype) or vim.fn.bufadd(path)
  vim.api.nvim_win_set_buf(self.left, ours)
  vim.api.nvim_win_set_buf(self.right, theirs)
  for _, window in ipairs({ self.left, self.right }) do
    vim.api.nvim_win_call(window, vim.cmd.diffthis)
  end
  vim.wo[self.right].statusline = " proposed by the team"
  self:map_keys(theirs)
  self:mark()
  self:go_to(Proposal.parts(file)[1])
  vim.cmd.syncbind()
end

function Review:show()
  local place = self.place
  client.request(
    "teamwright.changes.open",
    { runId = self.proposal.runId, uri = self:file().data.uri },
    function(content)
      if self.place == place and vim.api.nvim_win_is_valid(self.right) then
        self:draw(content)
      end
    end
  )
end

---@param entry teamwright.Entry whose diffs are reviewed
---@param uri? string which of them first
function M.open(entry, uri)
  local proposal = Proposal.new(entry)
  proposal:list_hunks()
  vim.cmd.tabnew()
  vim.bo.bufhidden = "wipe"
  local left = vim.api.nvim_get_current_win()
  vim.cmd("rightbelow vnew")
  vim.bo.bufhidden = "wipe"
  local review = setmetatable({
    proposal = proposal,
    tab = vim.api.nvim_get_current_tabpage(),
    left = left,
    right = vim.api.nvim_get_current_win(),
    place = proposal:place(uri),
  }, Review)
  review:show()
end

return M
