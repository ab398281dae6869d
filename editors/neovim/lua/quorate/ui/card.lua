-- A floating card: what is to be decided, and a key for each answer. Closing it answers nothing.
local decision_text = require("quorate.ui.decision_text")
local float = require("quorate.ui.float")
local store = require("quorate.store")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("quorate.card")

---@type { window: integer, decisionId: string }?
local shown

function M.close()
  if shown and vim.api.nvim_win_is_valid(shown.window) then
    vim.api.nvim_win_close(shown.window, true)
  end
  shown = nil
end

---@param actions quorate.DecisionAction[]
---@return string[]
local function key_lines(actions)
  local lines = vim.tbl_map(function(action)
    return (" %s  %s"):format(action.key, action.label)
  end, actions)
  table.insert(lines, " q  Not now")
  return lines
end

---@param details string[]
---@param keys string[]
---@return string[] lines
---@return integer where the keys begin, from 0
local function arranged(details, keys)
  local below = vim.list_extend(vim.list_extend(vim.list_slice(details), { "" }), keys)
  if float.fits(below) then
    return below, #details + 1
  end
  -- Too long to be seen at once: the keys come first.
  return vim.list_extend(vim.list_extend(vim.list_slice(keys), { "" }), details), 0
end

---@param pending quorate.PendingDecision
---@param actions quorate.DecisionAction[]
function M.open(pending, actions)
  M.close()
  local decision = pending.decision
  local keys = key_lines(actions)
  local lines, first = arranged(decision_text.details(decision), keys)
  local window, bufnr = float.open(decision.title, lines)
  shown = { window = window, decisionId = decision.decisionId }
  for row = first, first + #keys - 1 do
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, row, 1, { end_col = 2, hl_group = "QuorateKey" })
  end
  for _, action in ipairs(actions) do
    vim.keymap.set("n", action.key, function()
      M.close()
      action.run()
    end, { buffer = bufnr, nowait = true, desc = action.label })
  end
end

store.listen(function(change)
  local event = change.record and change.record.event
  if shown and event and event.type == "decision.resolved" and event.decisionId == shown.decisionId then
    M.close()
  end
end)

return M
