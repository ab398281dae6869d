-- What the server tells, and who is to know: transcripts are patched, summaries replaced, notices said, and everything
-- that others may wait for is announced by autocommand.
local notify = require("teamwright.notify")
local sessions = require("teamwright.sessions")
local text = require("teamwright.ui.text")

local M = {}

M.AUTOCOMMANDS = {
  ["turn.finished"] = "TeamwrightTurnFinished",
  ["run.started"] = "TeamwrightRunStarted",
  ["run.finished"] = "TeamwrightRunFinished",
  ["decision.requested"] = "TeamwrightDecisionRequested",
  ["decision.resolved"] = "TeamwrightDecisionResolved",
  ["changes.proposed"] = "TeamwrightChangesProposed",
  ["changes.settled"] = "TeamwrightChangesSettled",
  ["findings.updated"] = "TeamwrightFindingsUpdated",
}

---@type table<string, fun(text: string)>
local BY_LEVEL = { info = notify.info, warning = notify.warn, error = notify.error }

---@param at? string RFC 3339, in UTC
---@return string? how long there is to answer
local function time_left(at)
  local year, month, day, hour, minute, second = (at or ""):match("^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)")
  if not year then
    return nil
  end
  local function clock(parts)
    -- Both are read as if they were local: only their difference counts.
    return os.time(vim.tbl_extend("force", parts, { isdst = false }))
  end
  local then_ = clock({ year = year, month = month, day = day, hour = hour, min = minute, sec = second })
  return ("%d s"):format(math.max(0, then_ - clock(os.date("!*t") --[[@as osdateparam]])))
end

---@type table<string, fun(event: table, record: teamwright.EventRecord)>
local HANDLERS = {
  ["transcript.patched"] = function(event, record)
    if record.runId then
      return require("teamwright.ui.run_view").patch(record.runId, event)
    end
    local session = sessions.opened[record.sessionId]
    if session and not session.transcript:patch(event) then
      sessions.read(session.id)
    end
  end,
  ["session.resync"] = function(_, record)
    if sessions.opened[record.sessionId] then
      sessions.read(record.sessionId)
    end
  end,
  ["session.created"] = function(event)
    sessions.update(event.session)
  end,
  ["session.updated"] = function(event)
    sessions.update(event.session)
  end,
  ["decision.requested"] = function(event, record)
    local decision = event.decision
    sessions.ask(decision, record.sessionId)
    local hint = text.joined({ ":Teamwright approve", time_left(decision.expiresAt) })
    notify.info(("%s (%s)"):format(text.one_line(decision.title, 90), hint))
  end,
  ["decision.resolved"] = function(event)
    sessions.decided(event.decisionId)
  end,
  ["hidden_text.found"] = function(event)
    notify.warn(event.text)
  end,
  ["notice.raised"] = function(event)
    BY_LEVEL[event.level](text.joined({ event.text, event.hint }, " "))
  end,
}

---@param record teamwright.EventRecord
function M.take(record)
  local kind = record.event.type
  if HANDLERS[kind] then
    HANDLERS[kind](record.event, record)
  end
  if M.AUTOCOMMANDS[kind] then
    vim.api.nvim_exec_autocmds("User", { pattern = M.AUTOCOMMANDS[kind], modeline = false, data = record })
  end
end

return M
