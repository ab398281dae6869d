-- What the server has told, kept as it was told: things are upserted by id, texts appended to, views replaced.
local session_events = require("quorate.session_events")
local streams = require("quorate.streams")

local M = {}

---@class quorate.PendingDecision
---@field decision quorate.Decision
---@field sessionId? string unknown for what waited before this editor was started, until its session is opened
---@field runId? string

---@class quorate.ChangeSet
---@field runId string
---@field changes quorate.Change[]
---@field settled? quorate.SettledFile[]

---@class quorate.Session
---@field id string
---@field seq integer the last durable event that was applied
---@field summary quorate.SessionSummary
---@field streams table<string, quorate.Stream> the chat's under "", an agent's under "run/agent"
---@field runs table<string, quorate.RunView>
---@field changes table<string, quorate.ChangeSet> by run
---@field findings quorate.AgreedFinding[]
---@field turnId? string the turn under way
---@field ends table<string, integer> with which event a turn was over
---@field costUsd? number

---@class quorate.StoreChange
---@field what quorate.What
---@field session? quorate.Session
---@field record? quorate.EventRecord
---@field stream? string
---@field entry? quorate.Entry
---@field text? string

---@type table<string, quorate.Session> those that are open here
M.sessions = {}
---@type table<string, quorate.SessionSummary> all that were heard of
M.summaries = {}
---@type table<string, quorate.PendingDecision> of every session
M.decisions = {}

---@type (fun(change: quorate.StoreChange))[]
local listeners = {}
---@type (fun(record: quorate.EventRecord))[]
local hearers = {}
---@type fun(sessionId: string)
local reopen = function() end
local replaying = false

---@param listener fun(change: quorate.StoreChange)
function M.listen(listener)
  table.insert(listeners, listener)
end

---@param hearer fun(record: quorate.EventRecord) hears every event once, as it comes
function M.hear(hearer)
  table.insert(hearers, hearer)
end

---@param open fun(sessionId: string) how a session is read again when something of it was missed
function M.on_gap(open)
  reopen = open
end

---@param change quorate.StoreChange
local function publish(change)
  if replaying then
    return
  end
  for _, listener in ipairs(listeners) do
    listener(change)
  end
end

---@param session quorate.Session
---@param key string
---@return quorate.Stream
local function stream_of(session, key)
  session.streams[key] = session.streams[key] or streams.new()
  return session.streams[key]
end

---@param session quorate.Session
---@param record quorate.EventRecord
---@param placed quorate.Placed
local function put(session, record, placed)
  for _, key in ipairs(placed.streams) do
    -- Each stream has its own copy: texts are appended to each once.
    local entry = streams.upsert(stream_of(session, key), vim.deepcopy(placed.entry))
    publish({ what = "entry", session = session, record = record, stream = key, entry = entry })
  end
end

---@param session quorate.Session
---@param record quorate.EventRecord
local function append(session, record)
  local delta = record.event --[[@as quorate.ItemDelta]]
  for key, stream in pairs(session.streams) do
    local entry = stream.by_id[delta.itemId]
    if entry then
      if not streams.append(entry, delta.offset, delta.text) then
        return reopen(session.id)
      end
      publish({ what = "text", session = session, stream = key, entry = entry, text = delta.text })
    end
  end
end

---What every client hears of every session, open here or not.
---@param record quorate.EventRecord
local function apply_everywhere(record)
  local event = record.event
  if event.type == "session.created" or event.type == "session.updated" then
    M.summaries[record.sessionId] = event.session
    local session = M.sessions[record.sessionId]
    if session then
      session.summary = event.session
    end
    publish({ what = "session", session = session, record = record })
  elseif event.type == "decision.requested" then
    M.decisions[event.decision.decisionId] =
      { decision = event.decision, sessionId = record.sessionId, runId = record.runId }
    publish({ what = "decision", record = record })
  elseif event.type == "decision.resolved" then
    M.decisions[event.decisionId] = nil
    publish({ what = "decision", record = record })
  elseif event.type == "notice.raised" then
    publish({ what = "notice", record = record })
  end
end

---@param session quorate.Session
---@param record quorate.EventRecord
---@return boolean whether it is new and nothing is missing before it
local function is_next(session, record)
  if not record.seq then
    return true
  end
  if record.seq > session.seq + 1 then
    reopen(session.id)
    return false
  end
  local new = record.seq == session.seq + 1
  session.seq = math.max(session.seq, record.seq)
  return new
end

---@param session quorate.Session
---@param record quorate.EventRecord
local function apply_to(session, record)
  local kind = record.event.type
  if kind == "session.resync" then
    return reopen(session.id)
  elseif kind == "item.delta" then
    return append(session, record)
  end
  local what = session_events[kind] and session_events[kind](session, record)
  if what then
    publish({ what = what, session = session, record = record })
  end
  local placed = streams.place(record)
  if placed then
    put(session, record, placed)
  end
end

---@param record quorate.EventRecord
function M.apply(record)
  local session = record.sessionId and M.sessions[record.sessionId]
  if session and not is_next(session, record) then
    return
  end
  apply_everywhere(record)
  if session then
    apply_to(session, record)
  end
  if not replaying then
    for _, hearer in ipairs(hearers) do
      hearer(record)
    end
  end
end

---What waits for the user now, in any session: what was answered elsewhere meanwhile is gone.
---@param pending quorate.Decision[]
function M.set_decisions(pending)
  local known = M.decisions
  M.decisions = {}
  for _, decision in ipairs(pending) do
    M.decisions[decision.decisionId] = known[decision.decisionId] or { decision = decision }
  end
  publish({ what = "decision" })
end

---A session that begins here: its events come from the first one on.
---@param sessionId string
---@return quorate.Session
function M.begin(sessionId)
  M.sessions[sessionId] = M.sessions[sessionId]
    or {
      id = sessionId,
      seq = 0,
      summary = M.summaries[sessionId] or {},
      streams = {},
      runs = {},
      changes = {},
      findings = {},
      ends = {},
    }
  return M.sessions[sessionId]
end

---The answer of `session.open`: what was missed, then the view as it stands.
---@param result quorate.SessionOpenResult
function M.take(result)
  local view = result.session
  local session = M.begin(view.sessionId)
  replaying = true
  for _, record in ipairs(result.events) do
    M.apply(record)
  end
  if not result.more then
    session.summary, session.findings = view, view.findings or {}
    for _, run in ipairs(view.runViews) do
      session.runs[run.runId] = run
    end
    for _, item in ipairs(view.items) do
      streams.refresh(session.streams, item)
    end
    for _, decision in ipairs(view.decisions) do
      local known = M.decisions[decision.decisionId] or {}
      M.decisions[decision.decisionId] = { decision = decision, sessionId = view.sessionId, runId = known.runId }
    end
  end
  replaying = false
  if not result.more then
    publish({ what = "opened", session = session })
  end
end

return M
