-- Proposed changes in diff mode: the user's file on the left, the proposal on the right, a verdict for each hunk.
local changes = require("quorate.changes")
local client = require("quorate.client")
local text = require("quorate.ui.text")
local workspace = require("quorate.workspace")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("quorate.review")
local SIGNS = { accepted = { "✓ accepted", "QuorateAccepted" }, refused = { "✗ refused", "QuorateRefused" } }

---@class quorate.Review
---@field proposal quorate.Proposal
---@field tab integer
---@field left integer window
---@field right integer window
---@field place integer of the file that is shown
local Review = {}
Review.__index = Review

---@return quorate.Change
function Review:change()
  return self.proposal.changes[self.place]
end

---@param part integer
---@return integer row of the proposal, from 0
local function row_of(change, part)
  local hunk = vim.iter(change.hunks):find(function(each)
    return each.index == part
  end)
  return hunk and math.max(0, hunk.newStart - 1) or 0
end

function Review:mark()
  local change, bufnr = self:change(), vim.api.nvim_win_get_buf(self.right)
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  local parts, last = changes.parts(change), vim.api.nvim_buf_line_count(bufnr) - 1
  for number, part in ipairs(parts) do
    local sign = SIGNS[self.proposal.verdicts[change.uri][part]] or { "undecided", "QuorateKey" }
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, math.min(row_of(change, part), last), 0, {
      virt_text = { { (" %d/%d %s "):format(number, #parts, sign[1]), sign[2] } },
      virt_text_pos = "right_align",
    })
  end
  local path = workspace.relative(vim.uri_to_fname(change.uri)):gsub("%%", "%%%%")
  local where = ("%s · file %d of %d"):format(path, self.place, #self.proposal.changes)
  vim.wo[self.right].winbar = ("%%#QuorateRun# %s %%#QuorateMeta#a/x hunk · A/X file · ]f [f · s settle · q later"):format(
    where
  )
  vim.wo[self.left].winbar = ("%%#QuorateMeta# %s, as it is"):format(path)
end

---@return integer? the hunk at or before the cursor
function Review:part_at_cursor()
  local change = self:change()
  local row = vim.api.nvim_win_get_cursor(self.right)[1] - 1
  local parts = changes.parts(change)
  local found = parts[1]
  for _, part in ipairs(parts) do
    if row_of(change, part) <= row then
      found = part
    end
  end
  return found
end

---@param verdict quorate.Verdict
---@param whole boolean
function Review:judge(verdict, whole)
  local change = self:change()
  for _, part in ipairs(whole and changes.parts(change) or { self:part_at_cursor() }) do
    self.proposal.verdicts[change.uri][part] = verdict
  end
  self:mark()
  self:go_to_next()
end

---To the next hunk without a verdict, in this file or the next one.
function Review:go_to_next()
  local change = self:change()
  for _, part in ipairs(changes.parts(change)) do
    if not self.proposal.verdicts[change.uri][part] then
      return self:go_to(part)
    end
  end
  self:step(1)
end

---@param part integer
function Review:go_to(part)
  local last = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(self.right))
  vim.api.nvim_win_set_cursor(self.right, { math.min(row_of(self:change(), part) + 1, last), 0 })
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
  vim.ui.select({ refuse, "Go on reviewing" }, { prompt = "Settle" }, function(choice)
    if choice == refuse then
      go()
    end
  end)
end

---@param step integer
function Review:step(step)
  local place = self.place + step
  if place >= 1 and place <= #self.proposal.changes then
    self.place = place
    self:show()
  end
end

---@param bufnr integer
function Review:map_keys(bufnr)
  local keys = {
    a = {
      "Accept the hunk",
      function()
        self:judge("accepted", false)
      end,
    },
    x = {
      "Refuse the hunk",
      function()
        self:judge("refused", false)
      end,
    },
    A = {
      "Accept the file",
      function()
        self:judge("accepted", true)
      end,
    },
    X = {
      "Refuse the file",
      function()
        self:judge("refused", true)
      end,
    },
    ["]f"] = {
      "Next file",
      function()
        self:step(1)
      end,
    },
    ["[f"] = {
      "Previous file",
      function()
        self:step(-1)
      end,
    },
    s = {
      "Settle",
      function()
        self:settle()
      end,
    },
    q = {
      "Later",
      function()
        self:close()
      end,
    },
  }
  for lhs, key in pairs(keys) do
    vim.keymap.set("n", lhs, key[2], { buffer = bufnr, nowait = true, desc = key[1] })
  end
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

---@param content quorate.ChangesOpenResult
function Review:draw(content)
  local change = self:change()
  local path = vim.uri_to_fname(change.uri)
  local filetype = vim.filetype.match({ filename = path }) or ""
  vim.cmd("diffoff!")
  local theirs = scratch(content.after, filetype)
  local ours = change.kind == "create" and scratch("", filetype) or vim.fn.bufadd(path)
  vim.api.nvim_win_set_buf(self.left, ours)
  vim.api.nvim_win_set_buf(self.right, theirs)
  for _, window in ipairs({ self.left, self.right }) do
    vim.api.nvim_win_call(window, vim.cmd.diffthis)
  end
  vim.wo[self.right].statusline = " proposed by the team"
  self:map_keys(theirs)
  self:mark()
  self:go_to(changes.parts(change)[1])
  vim.cmd.syncbind()
end

function Review:show()
  local place = self.place
  client.request("quorate.changes.open", { runId = self.proposal.runId, uri = self:change().uri }, function(content)
    if self.place == place and vim.api.nvim_win_is_valid(self.right) then
      self:draw(content)
    end
  end)
end

---@param proposal quorate.Proposal
function M.open(proposal)
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
    place = 1,
  }, Review)
  review:show()
end

return M
