-- The session that the split shows: begun, continued, opened, left.
local client = require("quorate.client")
local connection = require("quorate.connection")
local notify = require("quorate.notify")
local store = require("quorate.store")

local M = {}

---@type string?
local current_id
---@type table<string, true> sessions that are being read
local reading = {}
-- The user asked for a new session, which begins with the first message.
local wants_new = false

---Called whenever another session is shown, or none.
---@type (fun(session?: quorate.Session))[]
M.on_changed = {}

---@return quorate.Session?
function M.current()
  return current_id and store.sessions[current_id] or nil
end

---@param session? quorate.Session
local function show(session)
  current_id = session and session.id or nil
  wants_new = false
  for _, listener in ipairs(M.on_changed) do
    listener(session)
  end
end

---A session that a command of ours has just made or continued: its events follow.
---@param sessionId string
function M.follow(sessionId)
  if current_id == sessionId and store.sessions[sessionId] then
    return
  end
  if store.sessions[sessionId] then
    return show(store.sessions[sessionId])
  end
  show(store.begin(sessionId))
end

---What was missed of a session, page by page, into the store.
---@param sessionId string
---@param on_read? fun(session: quorate.Session)
local function read(sessionId, on_read)
  if reading[sessionId] then
    return
  end
  reading[sessionId] = true
  local function next_page()
    local session = store.sessions[sessionId]
    local params = { sessionId = sessionId, afterSeq = session and session.seq or 0 }
    client.request("quorate.session.open", params, function(result)
      store.take(result)
      if result.more then
        return next_page()
      end
      reading[sessionId] = nil
      if on_read then
        on_read(store.sessions[sessionId])
      end
    end, function(fault)
      reading[sessionId] = nil
      notify.error(client.explain(fault))
    end)
  end
  next_page()
end

---@param sessionId string
---@param on_opened? fun()
function M.open(sessionId, on_opened)
  read(sessionId, function(session)
    if current_id ~= sessionId then
      show(session)
    end
    if on_opened then
      on_opened()
    end
  end)
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
  client.request("quorate.session.list", { limit = 1 }, function(result)
    local latest = result.sessions[1]
    if not latest or current_id then
      return on_done()
    end
    M.open(latest.sessionId, on_done)
  end)
end

---@param body string
---@param attachments quorate.AttachmentInput[]
---@param on_refused? fun()
function M.say(body, attachments, on_refused)
  local params = { text = body, attachments = #attachments > 0 and attachments or nil, sessionId = current_id }
  client.request("quorate.chat", params, function(result)
    M.follow(result.sessionId)
  end, function(fault)
    notify.error(client.explain(fault))
    if on_refused then
      on_refused()
    end
  end)
end

store.on_gap(read)

table.insert(connection.on_connected, function()
  -- A new server process knows nothing of what this client listened to.
  for sessionId in pairs(store.sessions) do
    if sessionId == current_id then
      read(sessionId)
    else
      store.sessions[sessionId] = nil
    end
  end
end)

return M
