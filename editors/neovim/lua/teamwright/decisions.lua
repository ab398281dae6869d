-- What waits for the user, in any session: chosen from, and asked with everything that its entry says.
local actions = require("teamwright.actions")
local asking = require("teamwright.ui.asking")
local connection = require("teamwright.connection")
local notify = require("teamwright.notify")
local sessions = require("teamwright.sessions")

local M = {}

---@return teamwright.PendingDecision[] the oldest first
function M.pending()
  local pending = vim.tbl_values(sessions.decisions)
  table.sort(pending, function(one, other)
    return one.decisionId < other.decisionId
  end)
  return pending
end

---@param session teamwright.Session
---@param decisionId string
---@return teamwright.Entry?
local function entry_of(session, decisionId)
  return session.transcript:latest():find(function(entry)
    return entry.decisionId == decisionId and entry.state == "waiting"
  end)
end

---@param sessionId string
---@param act fun(session: teamwright.Session)
local function with_session(sessionId, act)
  local session = sessions.opened[sessionId]
  if session then
    return act(session)
  end
  sessions.read(sessionId, act)
end

---@param pending teamwright.PendingDecision
local function ask(pending)
  with_session(pending.sessionId, function(session)
    local entry = entry_of(session, pending.decisionId)
    if not entry then
      return notify.info("this has been decided.")
    end
    actions.offer(entry)
  end)
end

---@param pending teamwright.PendingDecision[]
local function choose_of(pending)
  if #pending == 0 then
    return notify.info("nothing waits for you.")
  elseif #pending == 1 then
    return ask(pending[1])
  end
  asking.select(pending, {
    prompt = "What waits for you",
    format_item = function(each)
      return each.title
    end,
  }, function(each)
    if each then
      ask(each)
    end
  end)
end

---Offers what waits for the user, in whichever session. Before the server runs it is asked first.
function M.choose()
  if connection.client() then
    return choose_of(M.pending())
  end
  sessions.read_decisions(function()
    choose_of(M.pending())
  end)
end

---What the latest entry of the session that is shown offers.
---@param command teamwright.CommandName
---@param without string what is said when there is none
---@param act fun(action: teamwright.Action, entry: teamwright.Entry)
function M.latest(command, without, act)
  local session = sessions.current()
  local action, entry
  if session then
    action, entry = session.transcript:action(command)
  end
  if action and entry then
    return act(action, entry)
  end
  notify.info(without)
end

---The same, of what waits for the user in any session; the one that is shown comes first.
---@param command teamwright.CommandName
---@param without string
---@param act fun(action: teamwright.Action, entry: teamwright.Entry)
function M.latest_asked(command, without, act)
  local session = sessions.current()
  local ids = session and { session.id } or {}
  for _, pending in vim.iter(M.pending()):rev():enumerate() do
    if not vim.list_contains(ids, pending.sessionId) then
      table.insert(ids, pending.sessionId)
    end
  end
  local function try(place)
    if not ids[place] then
      return notify.info(without)
    end
    with_session(ids[place], function(each)
      local action, entry = each.transcript:action(command)
      if action and entry then
        return act(action, entry)
      end
      try(place + 1)
    end)
  end
  try(1)
end

return M
