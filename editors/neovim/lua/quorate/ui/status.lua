-- How things stand, in one line: for the winbar of the split and for a status line.
local connection = require("quorate.connection")
local store = require("quorate.store")
local text = require("quorate.ui.text")

local M = {}

---@param sessionId? string
---@return integer of that session, or of all
function M.pending(sessionId)
  local count = 0
  for _, pending in pairs(store.decisions) do
    if not sessionId or pending.sessionId == sessionId then
      count = count + 1
    end
  end
  return count
end

---@param session? quorate.Session
---@return string? the phase of the run under way
function M.phase(session)
  for _, run in pairs(session and session.runs or {}) do
    if run.phase ~= "finished" then
      return run.phase
    end
  end
  return session and (session.turnId or session.summary.busy) and "working" or nil
end

---@param modes? quorate.Modes
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

---@return string for a status line
function M.line()
  if not connection.client() then
    return ""
  end
  local session = require("quorate.conversation").current()
  local pending = M.pending()
  return text.joined({
    "Quorate",
    M.phase(session),
    session and text.cost(session.costUsd or session.summary.costUsd),
    pending > 0 and ("⚑ " .. pending) or nil,
  })
end

return M
