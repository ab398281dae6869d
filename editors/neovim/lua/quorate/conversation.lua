-- The session that the split shows: begun, continued, opened, left.
local client = require("quorate.client")
local connection = require("quorate.connection")
local store = require("quorate.store")

local M = {}

---@type string?
local current_id
---@type table<string, true> sessions that are being read
local opening = {}

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

---@param sessionId string
---@param on_opened? fun(session: quorate.Session)
function M.open(sessionId, on_opened)
  if opening[sessionId] then
    return
  end
  opening[sessionId] = true
  local session = store.sessions[sessionId]
  local function read(after)
    client.request("quorate.session.open", { sessionId = sessionId, afterSeq = after }, function(result)
      store.take(result)
      session = store.sessions[sessionId]
      if result.more then
        return read(session.seq)
      end
      opening[sessionId] = nil
      if current_id ~= sessionId then
        show(session)
      end
      if on_opened then
        on_opened(session)
      end
    end, function(fault)
      opening[sessionId] = nil
      require("quorate.notify").error(client.explain(fault))
    end)
  end
  read(session and session.seq or 0)
end

function M.start_afresh()
  show(nil)
end

---The newest session of the workspace, if there is one. Where there is no server, the user is told and that is all.
---@param on_done fun()
function M.continue_latest(on_done)
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
    require("quorate.notify").error(client.explain(fault))
    if on_refused then
      on_refused()
    end
  end)
end

---@param reopened string
store.on_gap(function(reopened)
  M.open(reopened)
end)

table.insert(connection.on_connected, function()
  -- A new server process knows nothing of what this client listened to.
  for sessionId in pairs(store.sessions) do
    if sessionId == current_id then
      M.open(sessionId)
    else
      store.sessions[sessionId] = nil
    end
  end
end)

return M
