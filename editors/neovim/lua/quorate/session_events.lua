-- What an event changes in an open session, beside the entry that it puts into a stream.
local streams = require("quorate.streams")

---@alias quorate.What "opened"|"entry"|"text"|"session"|"run"|"decision"|"changes"|"findings"|"notice"

---@type table<string, fun(session: quorate.Session, record: quorate.EventRecord): quorate.What?>
return {
  ["turn.started"] = function(session, record)
    session.turnId = record.turnId
    return "session"
  end,
  ["turn.finished"] = function(session, record)
    session.turnId = nil
    session.ends[record.turnId] = record.seq
    return "session"
  end,
  ["run.updated"] = function(session, record)
    session.runs[record.runId] = record.event.run
    return "run"
  end,
  ["changes.proposed"] = function(session, record)
    session.changes[record.runId] = { runId = record.runId, changes = record.event.changes }
    return "changes"
  end,
  ["changes.settled"] = function(session, record)
    local set = session.changes[record.runId]
    if set then
      set.settled = streams.merged(set.settled, record.event.settled)
    end
    return "changes"
  end,
  ["findings.updated"] = function(session, record)
    session.findings = record.event.findings
    return "findings"
  end,
  ["usage.reported"] = function(session, record)
    session.costUsd = record.event.sessionCostUsd or session.costUsd
    return "session"
  end,
}
