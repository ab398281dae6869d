-- A decision in words: what it is about, and what can be answered.
local text = require("quorate.ui.text")

local M = {}

---@param lines string[]
---@param name string
---@param value? string
local function fact(lines, name, value)
  if value and value ~= "" then
    table.insert(lines, ("%-9s %s"):format(name, value))
  end
end

---@param estimate? quorate.CostEstimate
---@return string
local function cost_of(estimate)
  if not estimate then
    return "unknown"
  elseif estimate.usdHigh == 0 then
    return "nothing"
  end
  return ("about %s to %s"):format(text.cost(estimate.usdLow), text.cost(estimate.usdHigh))
end

---@type table<string, fun(detail: table): string[]>
local DETAILS = {
  ---@param detail quorate.RunDetail
  run = function(detail)
    local spec, lines = detail.spec, {}
    vim.list_extend(lines, text.lines(spec.task))
    table.insert(lines, "")
    fact(lines, "Context", spec.context and text.one_line(spec.context, 100))
    fact(lines, "Agents", table.concat(spec.agents, ", "))
    local mode =
      { spec.agentMode, spec.refinement and "refinement" or "no refinement", spec.planningMode and "plan first" or nil }
    fact(lines, "Mode", text.joined(mode))
    for _, file in ipairs(detail.files) do
      fact(lines, "Files", ("%s (%s, %s)"):format(file.path, file.permission, text.count(file.count, "file")))
    end
    fact(lines, "Cost", cost_of(detail.estimate))
    fact(lines, "Why", detail.reason)
    return lines
  end,
  ---@param detail quorate.PlanDetail
  plan = function(detail)
    return M.plan(detail.plan, detail.path)
  end,
  ---@param detail quorate.ChangesDetail
  changes = function(detail)
    return M.changes(detail.changes)
  end,
  ---@param detail quorate.InputDetail
  input = function(detail)
    local lines = text.lines(detail.question)
    if detail.agentId then
      table.insert(lines, 1, detail.agentId .. " asks:")
    end
    return lines
  end,
  ---@param detail quorate.OverrideDetail
  override = function(detail)
    local lines = {}
    for _, answer in ipairs(detail.answers) do
      table.insert(lines, ("%s (%s)"):format(answer.agentId, answer.label))
      for _, line in ipairs(text.lines(answer.content)) do
        table.insert(lines, "  " .. line)
      end
    end
    return lines
  end,
  ---@param detail quorate.BudgetDetail
  budget = function(detail)
    local spent, limit, lines = detail.spent, detail.limit, {}
    fact(
      lines,
      "Spent",
      text.joined({ text.cost(spent.usd), text.count(spent.tokens, "token"), ("%.0f s"):format(spent.seconds) })
    )
    fact(
      lines,
      "Limit",
      text.joined({
        text.cost(limit.usd),
        limit.tokens and text.count(limit.tokens, "token"),
        limit.seconds and ("%.0f s"):format(limit.seconds),
      })
    )
    return lines
  end,
  ---@param detail quorate.CommandDetail
  command = function(detail)
    return { "$ " .. table.concat(detail.argv, " "), "in " .. detail.cwd }
  end,
  ---@param detail quorate.ResumeDetail
  resume = function(detail)
    local lines = text.lines(detail.task)
    fact(lines, "Done", detail.done)
    return lines
  end,
}

---@param plan quorate.Plan
---@param path string
---@return string[]
function M.plan(plan, path)
  local lines = { plan.title }
  for number, task in ipairs(plan.tasks) do
    table.insert(lines, ("%d. %s"):format(number, task.title))
    if task.detail ~= "" then
      table.insert(lines, "   " .. text.one_line(task.detail, 200))
    end
  end
  table.insert(lines, "saved as " .. path)
  return lines
end

---@param changes quorate.Change[]
---@return string[]
function M.changes(changes)
  local workspace = require("quorate.workspace")
  return vim.tbl_map(function(change)
    local path = workspace.relative(vim.uri_to_fname(change.uri))
    return ("%s %s (%s)"):format(change.kind, path, text.count(#change.hunks, "hunk"))
  end, changes)
end

---@param decision quorate.Decision
---@return string[]
function M.details(decision)
  return DETAILS[decision.kind](decision.detail)
end

---@param decision quorate.Decision
---@param resolution quorate.DecisionResolved
---@return string
function M.answer(decision, resolution)
  local chosen = resolution.choice
  for _, choice in ipairs(decision.choices) do
    if choice.id == resolution.choice then
      chosen = choice.label
    end
  end
  local who = { user = "", timeout = " (time ran out)", policy = " (by policy)", cancelled = " (cancelled)" }
  return text.one_line(resolution.text or chosen, 80) .. (who[resolution.by] or "")
end

return M
