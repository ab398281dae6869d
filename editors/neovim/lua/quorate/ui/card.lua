-- A floating card: what is to be decided, and a key for each answer. Closing it answers nothing.
local decision_text = require("quorate.ui.decision_text")
local store = require("quorate.store")
local text = require("quorate.ui.text")

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

---@param lines string[]
---@param title string
---@return vim.api.keyset.win_config
local function placement(lines, title)
  local width = math.min(math.max(60, math.floor(vim.o.columns * 0.6)), vim.o.columns - 4)
  local rows = 0
  for _, line in ipairs(lines) do
    rows = rows + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  local height = math.max(1, math.min(rows, vim.o.lines - 6))
  return {
    relative = "editor",
    width = width,
    height = height,
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
    style = "minimal",
    border = "rounded",
    title = (" %s "):format(title),
    title_pos = "center",
  }
end

---@param actions quorate.DecisionAction[]
---@param lines string[]
---@return { [1]: integer, [2]: integer }[] where the keys stand
local function add_actions(actions, lines)
  local keys = {}
  table.insert(lines, "")
  for _, action in ipairs(actions) do
    table.insert(lines, (" %s  %s"):format(action.key, action.label))
    table.insert(keys, { #lines - 1, #action.key })
  end
  table.insert(lines, " q  Not now")
  table.insert(keys, { #lines - 1, 1 })
  return keys
end

---@param pending quorate.PendingDecision
---@param actions quorate.DecisionAction[]
function M.open(pending, actions)
  M.close()
  vim.cmd.stopinsert()
  local decision = pending.decision
  local lines = text.each_on_one_line(decision_text.details(decision))
  local keys = add_actions(actions, lines)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].filetype = "quorate-card"
  for _, key in ipairs(keys) do
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, key[1], 1, { end_col = 1 + key[2], hl_group = "QuorateKey" })
  end
  local window = vim.api.nvim_open_win(bufnr, true, placement(lines, text.one_line(decision.title, 60)))
  vim.wo[window].wrap, vim.wo[window].linebreak = true, true
  vim.wo[window].winhighlight = "FloatBorder:QuorateDecision,FloatTitle:QuorateDecision"
  shown = { window = window, decisionId = decision.decisionId }
  for _, action in ipairs(actions) do
    vim.keymap.set("n", action.key, function()
      M.close()
      action.run()
    end, { buffer = bufnr, nowait = true, desc = action.label })
  end
  for _, lhs in ipairs({ "q", "<Esc>" }) do
    vim.keymap.set("n", lhs, M.close, { buffer = bufnr, nowait = true, desc = "Not now" })
  end
end

store.listen(function(change)
  local event = change.record and change.record.event
  if shown and event and event.type == "decision.resolved" and event.decisionId == shown.decisionId then
    M.close()
  end
end)

return M
