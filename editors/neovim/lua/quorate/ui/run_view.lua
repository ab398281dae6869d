-- A run in full: a tab with a column an agent, each with what it does and says, streamed as it comes.
local Pane = require("quorate.ui.pane")
local StreamView = require("quorate.ui.stream_view")
local notify = require("quorate.notify")
local run_card = require("quorate.ui.run_card")
local store = require("quorate.store")
local streams = require("quorate.streams")
local text = require("quorate.ui.text")

local M = {}

---@class quorate.Column
---@field view quorate.StreamView
---@field agentId string

---@type table<string, quorate.Column[]> by run
local open_runs = {}

---@param run quorate.RunView
---@param agentId string
---@return string
local function heading(run, agentId)
  local agent = vim.iter(run.agents):find(function(each)
    return each.agentId == agentId
  end)
  local status = run_card.STATUS[agent.status]
  local votes = run.tally[agentId]
  local facts = text.joined({
    run_card.doing(agent),
    text.count(agent.answers, "answer"),
    votes and text.count(votes, "vote"),
    run.winner == agentId and "winner" or nil,
    text.cost(agent.costUsd),
  })
  local escaped = ("%s %s"):format(status[1], agentId):gsub("%%", "%%%%")
  return ("%%#%s# %s %%#QuorateMeta#%s"):format(status[2], escaped, (facts:gsub("%%", "%%%%")))
end

---@param session quorate.Session
---@param runId string
local function draw_headings(session, runId)
  local run = session.runs[runId]
  for _, column in ipairs(open_runs[runId] or {}) do
    for _, window in ipairs(vim.fn.win_findbuf(column.view.pane.bufnr)) do
      vim.wo[window].winbar = heading(run, column.agentId)
    end
  end
end

---@param session quorate.Session
---@param runId string
---@param agentId string
---@return quorate.Column
local function column(session, runId, agentId)
  local view = StreamView.new(("quorate://run/%s/%s"):format(runId, agentId), streams.key(runId, agentId))
  local bufnr = view.pane.bufnr
  vim.bo[bufnr].bufhidden = "wipe"
  vim.keymap.set("n", "q", "<Cmd>tabclose<CR>", { buffer = bufnr, desc = "Close the run" })
  vim.keymap.set("n", "<C-o>", "<Cmd>Quorate override<CR>", { buffer = bufnr, desc = "Choose another presenter" })
  vim.keymap.set("n", "<C-c>", "<Cmd>Quorate cancel<CR>", { buffer = bufnr, desc = "Cancel the run" })
  view:show(session)
  return { view = view, agentId = agentId }
end

---@param runId string
---@return boolean whether it was shown already
local function go_to_open(runId)
  for _, each in ipairs(open_runs[runId] or {}) do
    local window = vim.fn.win_findbuf(each.view.pane.bufnr)[1]
    if window then
      vim.api.nvim_set_current_win(window)
      return true
    end
  end
  return false
end

---@param session quorate.Session
---@param runId string
function M.open(session, runId)
  local run = session.runs[runId]
  if not run then
    return notify.info("the run has not begun.")
  end
  if go_to_open(runId) then
    return
  end
  vim.cmd.tabnew()
  vim.bo.bufhidden = "wipe"
  local columns = {}
  for place, agent in ipairs(run.agents) do
    columns[place] = column(session, runId, agent.agentId)
    if place > 1 then
      vim.cmd("rightbelow vsplit")
    end
    vim.api.nvim_win_set_buf(0, columns[place].view.pane.bufnr)
    Pane.dress(0)
    vim.wo.statusline = " " .. agent.agentId:gsub("%%", "%%%%")
    vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(0), 0 })
  end
  vim.cmd("wincmd =")
  vim.cmd("1wincmd w")
  open_runs[runId] = columns
  draw_headings(session, runId)
end

store.listen(function(change)
  if change.what == "run" and open_runs[change.record.runId] then
    draw_headings(change.session, change.record.runId)
  end
end)

return M
