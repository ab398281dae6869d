-- The sessions of the workspace: those that are open here with their transcripts, the one that the split shows, and
-- what waits for the user in any of them.
local Transcript = require("teamwright.transcript")
local client = require("teamwright.client")
local connection = require("teamwright.connection")
local notify = require("teamwright.notify")

local M = {}

---@class teamwright.Session
---@field id string
---@field summary teamwright.SessionSummary
---@field transcript teamwright.TranscriptState

---@class teamwright.PendingDecision
---@field decisionId string
---@field title string
---@field sessionId? string

---@alias teamwright.News "current"|"summary"|"decisions"

---@type table<string, teamwright.Session> those that are open here
M.opened = {}
---@type table<string, teamwright.PendingDecision> of every session
M.decisions = {}
---@type (fun(news: teamwright.News))[]
M.watchers = {}

---@type string?
local current_id
-- The user asked for a new session, which begins with the first message.
local wants_new = false
---@type table<string, (fun(session: teamwright.Session))[]> sessions that are being opened, and who waits for them
local opening = {}

---@param news teamwright.News
local function tell(news)
  for _, watcher in ipairs(M.watchers) do
    watcher(news)
  end
end

---@param decision teamwright.Decision
---@param sessionId? string
local function remember(decision, sessionId)
  local pending = { decisionId = decision.decisionId, title = decision.title, sessionId = sessionId }
  M.decisions[decision.decisionId] = pending
end

---@return teamwright.Session?
function M.current()
  return current_id and M.opened[current_id] or nil
end

---@param sessionId? string
local function show(sessionId)
  wants_new = false
  if current_id ~= sessionId then
    current_id = sessionId
    tell("current")
  end
end

---Reads a session as it is now; from then on its patches follow.
---@param sessionId string
---@param on_opened? fun(session: teamwright.Session)
function M.read(sessionId, on_opened)
  if opening[sessionId] then
    return table.insert(opening[sessionId], on_opened)
  end
  opening[sessionId] = { on_opened }
  client.request("teamwright.session.open", { sessionId = sessionId }, function(result)
    local session = M.opened[sessionId] or { id = sessionId, transcript = Transcript.new() }
    session.summary = result.session
    M.opened[sessionId] = session
    for _, decision in ipairs(result.session.decisions) do
      remember(decision, sessionId)
    end
    session.transcript:open(result.transcript)
    local waiting = opening[sessionId]
    opening[sessionId] = nil
    tell("summary")
    for _, listener in ipairs(waiting) do
      listener(session)
    end
  end, function(fault)
    opening[sessionId] = nil
    notify.error(client.explain(fault))
  end)
end

---Shows a session, which is read first where it is not open here.
---@param sessionId string
---@param on_opened? fun()
function M.open(sessionId, on_opened)
  local function opened()
    show(sessionId)
    if on_opened then
      on_opened()
    end
  end
  if M.opened[sessionId] then
    return opened()
  end
  M.read(sessionId, opened)
end

function M.start_afresh()
  show(nil)
  wants_new = true
end

---The newest session of the workspace, if there is one. Where there is no server, the user is told and that is all.
---@param on_done fun()
function M.continue_latest(on_done)
  if wants_new then
    return on_done()
  end
  client.request("teamwright.session.list", { limit = 1 }, function(result)
    local latest = result.sessions[1]
    if not latest or current_id then
      return on_done()
    end
    M.open(latest.sessionId, on_done)
  end)
end

---What was chosen before there is a session: it begins with it.
---@type teamwright.ModesInput
M.modes_of_next = {}

---@param body string
---@param attachments teamwright.AttachmentInput[]
---@param on_refused? fun()
function M.say(body, attachments, on_refused)
  local params = { text = body, attachments = #attachments > 0 and attachments or nil, sessionId = current_id }
  params.modes = not current_id and next(M.modes_of_next) and M.modes_of_next or nil
  client.request("teamwright.chat", params, function(result)
    M.modes_of_next = params.modes and {} or M.modes_of_next
    M.open(result.sessionId)
  end, function(fault)
    notify.error(client.explain(fault))
    if on_refused then
      on_refused()
    end
  end)
end

---The page before what is shown.
---@param session teamwright.Session
function M.read_earlier(session)
  local params = { sessionId = session.id, itemsBefore = session.transcript.order[1] }
  client.request("teamwright.session.open", params, function(result)
    session.transcript:prepend(result.transcript)
  end)
end

---What waits for the user now, in any session: what was answered elsewhere meanwhile is gone.
---@param on_read? fun()
function M.read_decisions(on_read)
  client.request("teamwright.status", {}, function(status)
    M.decisions = {}
    for _, decision in ipairs(status.decisions) do
      remember(decision, decision.sessionId)
    end
    tell("decisions")
    if on_read then
      on_read()
    end
  end, not on_read and function() end or nil)
end

---@param summary teamwright.SessionSummary
function M.update(summary)
  local session = M.opened[summary.sessionId]
  if session then
    session.summary = summary
  end
  tell("summary")
end

---@param decision teamwright.Decision
---@param sessionId string
function M.ask(decision, sessionId)
  remember(decision, sessionId)
  tell("decisions")
end

---@param decisionId string
function M.decided(decisionId)
  M.decisions[decisionId] = nil
  tell("decisions")
end

table.insert(connection.on_connected, function()
  -- A new server process knows nothing of what this client listened to.
  for sessionId in pairs(M.opened) do
    if sessionId == current_id then
      M.read(sessionId)
    else
      M.opened[sessionId] = nil
    end
  end
  M.read_decisions()
end)

return M
