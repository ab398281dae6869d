-- A run as a card: its phase, and one line an agent.
local text = require("quorate.ui.text")

local M = {}

M.STATUS = {
  waiting = { "○", "QuorateMeta" },
  working = { "●", "QuorateInfo" },
  answered = { "◆", "QuorateInfo" },
  voted = { "✓", "QuorateOk" },
  abstained = { "–", "QuorateMeta" },
  presenting = { "▶", "QuorateRun" },
  failed = { "✗", "QuorateError" },
  stopped = { "■", "QuorateMeta" },
}

---@param agent quorate.AgentView
---@return string
function M.doing(agent)
  return agent.votedFor and ("voted %s"):format(agent.votedFor) or agent.status
end

---@param run quorate.RunView
---@return string
function M.title(run)
  return text.joined({ run.outcome and run.outcome:gsub("_", " ") or run.phase, text.cost(run.costUsd) })
end

---@param run quorate.RunView
---@param agent quorate.AgentView
---@param widths integer[]
---@return string line
---@return quorate.Mark[] marks without their line
local function agent_line(run, agent, widths)
  local status = M.STATUS[agent.status]
  local votes = run.tally[agent.agentId]
  local facts = text.joined({
    text.count(agent.answers, "answer"),
    votes and text.count(votes, "vote"),
    run.winner == agent.agentId and "winner" or nil,
    text.cost(agent.costUsd),
    agent.note and text.one_line(agent.note, 60),
  })
  local head = ("│ %s "):format(status[1])
  local name = text.pad(agent.agentId, widths[1])
  local doing = text.pad(M.doing(agent), widths[2])
  return ("%s%s  %s  %s"):format(head, name, doing, facts),
    {
      { 0, 0, #"│", "QuorateRun" },
      { 0, #"│ ", #head, status[2] },
      { 0, #head, #head + #name, "QuorateAgent" },
      { 0, #head + #name + 2 + #doing, -1, "QuorateMeta" },
    }
end

---@param run quorate.RunView
---@return quorate.Block
function M.block(run)
  local lines = { "", "▎Run · " .. M.title(run), "│ " .. text.one_line(run.task, 100) }
  local marks = { { 1, 0, -1, "QuorateRun" }, { 2, 0, -1, "QuorateMeta" } }
  local widths = { 0, 0 }
  for _, agent in ipairs(run.agents) do
    widths[1] = math.max(widths[1], vim.fn.strdisplaywidth(agent.agentId))
    widths[2] = math.max(widths[2], vim.fn.strdisplaywidth(M.doing(agent)))
  end
  for _, agent in ipairs(run.agents) do
    local line, found = agent_line(run, agent, widths)
    for _, mark in ipairs(found) do
      table.insert(marks, { #lines, mark[2], mark[3], mark[4] })
    end
    table.insert(lines, line)
  end
  if run.phase ~= "finished" then
    table.insert(lines, "╰ <CR> opens the run")
    table.insert(marks, { #lines - 1, 0, -1, "QuorateMeta" })
  end
  return { lines = lines, marks = marks }
end

return M
