-- How things stand, in one line: for the winbar of the split and for a status line.
local connection = require("teamwright.connection")
local sessions = require("teamwright.sessions")
local text = require("teamwright.ui.text")
local workspace = require("teamwright.workspace")

local M = {}

---@param session? teamwright.Session
---@return string? where the run under way is, in the words of its card
function M.under_way(session)
  if not session then
    return nil
  end
  for entry in session.transcript:latest() do
    for _, part in ipairs(entry.kind == "run" and entry.state == "running" and entry.parts or {}) do
      for _, chip in ipairs(part.kind == "chips" and part.data.chips or {}) do
        if chip.tone == "busy" then
          return chip.label
        end
      end
    end
  end
  return session.summary.busy and "working" or nil
end

---@param session? teamwright.Session
---@return string? how far the list of tasks is, while something of it is left to do
function M.tasks(session)
  for entry in session and session.transcript:latest() or function() end do
    if entry.kind == "tasks" then
      return entry.state == "running" and entry.title or nil
    end
  end
  return nil
end

---@param modes? teamwright.Modes
---@return string those that the user has set; the assistant decides about the rest
function M.modes(modes)
  modes = modes or {}
  local set = text.joined({
    modes.plan and "plan" or modes.plan == false and "no plan" or "",
    modes.agentMode == "single" and vim.trim("single " .. (modes.agentId or "")) or modes.agentMode or "",
    modes.refinement and "refine" or modes.refinement == false and "no refining" or "",
    modes.autonomy == "autonomous" and "autonomous" or "",
    modes.team and modes.team ~= "auto" and ("team " .. modes.team) or "",
  })
  return set ~= "" and set or "auto"
end

---@return string? a flag for what waits, in any session
local function flag()
  local pending = vim.tbl_count(sessions.decisions)
  return pending > 0 and "⚑ " .. pending or nil
end

---@return string for a status line
function M.line()
  if not connection.client() then
    return ""
  end
  local session = sessions.current()
  local cost = session and text.cost(session.summary.costUsd)
  return text.joined({ "Teamwright", M.under_way(session), cost, flag() })
end

---@return string for the bar above the transcript
function M.bar()
  local session = sessions.current()
  ---@type teamwright.SessionSummary|table
  local summary = session and session.summary or {}
  local function part(group, said)
    return said and said ~= "" and ("%%#%s# %s "):format(group, text.in_bar(said)) or ""
  end
  return table.concat({
    part("TeamwrightDecision", flag()),
    part("TeamwrightKey", M.modes(summary.modes)),
    part("TeamwrightMeta", summary.project),
    part("TeamwrightInfo", M.under_way(session)),
    part("TeamwrightRun", M.tasks(session)),
    part("TeamwrightMeta", text.cost(summary.costUsd)),
    part("TeamwrightWarning", not workspace.is_trusted() and "untrusted" or nil),
    "%=%<",
    part("TeamwrightAssistant", text.one_line(summary.title ~= "" and summary.title or "Teamwright", 18)),
  })
end

return M
