-- Finding one's way: sessions, what was said in them, projects.
local asking = require("teamwright.ui.asking")
local client = require("teamwright.client")
local notify = require("teamwright.notify")
local sessions = require("teamwright.sessions")
local split = require("teamwright.ui.split")
local text = require("teamwright.ui.text")

---@param session teamwright.SessionSummary
---@return string
local function session_line(session)
  return text.joined({
    session.updatedAt:sub(1, 16):gsub("T", " "),
    session.title ~= "" and session.title or "untitled",
    session.project,
    text.one_line(session.lastMessage, 50),
    text.cost(session.costUsd),
    session.busy and "working" or nil,
    session.pendingDecisions > 0 and ("⚑ " .. session.pendingDecisions) or nil,
  })
end

---@param sessionId string
local function show(sessionId)
  sessions.open(sessionId, function()
    split.open()
  end)
end

---@param session teamwright.Session
---@param entry? teamwright.Entry
---@return integer? the last event before another turn begins; none where its turn is the last
local function end_of_turn(session, entry)
  local transcript = session.transcript
  for place = entry and transcript:place(entry.entryId) or math.huge, #transcript.order do
    local each = transcript.by_id[transcript.order[place]]
    if each.turnId and each.turnId ~= entry.turnId and each.seq then
      return each.seq - 1
    end
  end
end

---@param action string
---@param run fun(session: teamwright.Session)
---@return fun(call: teamwright.Call)
local function on_current(action, run)
  return function()
    local session = sessions.current()
    if not session then
      return notify.info(
        ("open the session first that you want to %s; `:Teamwright sessions` lists them."):format(action)
      )
    end
    run(session)
  end
end

---@param said string
local function show_markdown(said)
  vim.cmd.tabnew()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, text.lines(said))
  vim.bo.filetype = "markdown"
  vim.bo.modified = false
end

---@type table<string, fun(words: string[])>
local ON_SESSION = {
  rename = function(words)
    on_current("rename", function(session)
      local function rename(title)
        if title and title ~= "" then
          client.request("teamwright.session.rename", { sessionId = session.id, title = title })
        end
      end
      local given = table.concat(words, " ", 2)
      if given ~= "" then
        return rename(given)
      end
      asking.input({ prompt = "Title: ", default = session.summary.title }, rename)
    end)()
  end,
  delete = on_current("delete", function(session)
    client.request("teamwright.session.delete", { sessionId = session.id }, function()
      sessions.start_afresh()
      notify.info("the session is deleted.")
    end)
  end),
  compact = on_current("compact", function(session)
    client.request("teamwright.session.compact", { sessionId = session.id })
  end),
  export = on_current("export", function(session)
    client.request("teamwright.session.export", { sessionId = session.id, format = "markdown" }, function(result)
      show_markdown(result.text)
    end)
  end),
  stats = on_current("measure", function(session)
    client.request("teamwright.session.stats", { sessionId = session.id }, function(stats)
      local tokens = stats.usage.inputTokens + stats.usage.outputTokens
      notify.info(text.joined({
        text.count(stats.turns, "turn"),
        text.count(stats.runs, "run"),
        text.count(tokens, "token"),
        text.cost(stats.costUsd),
        ("%.0f s"):format(stats.seconds),
      }))
    end)
  end),
}

local ON_PROJECT = { "create", "select" }

---@param action "create"|"select"
---@param name? string
local function project(action, name)
  local session = sessions.current()
  if not name or name == "" then
    return notify.info(("name the project: `:Teamwright projects %s NAME`."):format(action))
  end
  client.request("teamwright.project." .. action, { name = name, sessionId = session and session.id }, function(made)
    notify.info(("project %s, in %s."):format(made.name, made.path))
  end)
end

---@param listed teamwright.Project[]
local function choose_project(listed)
  if #listed == 0 then
    return notify.info("no projects; `:Teamwright projects create NAME` makes one.")
  end
  asking.select(listed, {
    prompt = "Projects",
    format_item = function(each)
      return text.joined({ each.name, text.one_line(each.goal, 60), text.count(#each.runs, "run") })
    end,
  }, function(chosen)
    if chosen then
      project("select", chosen.name)
    end
  end)
end

---@type table<string, teamwright.Subcommand>
return {
  sessions = {
    about = "choose a session; `rename`, `delete`, `compact`, `export` and `stats` act on the one that is shown",
    complete = function(words)
      return #words == 0 and vim.tbl_keys(ON_SESSION) or {}
    end,
    run = function(call)
      local action = ON_SESSION[call.words[1] or ""]
      if action then
        return action(call.words)
      end
      local query = call.text ~= "" and call.text or nil
      client.request("teamwright.session.list", { query = query }, function(result)
        if #result.sessions == 0 then
          return notify.info("no sessions; `:Teamwright chat` begins one.")
        end
        asking.select(result.sessions, { prompt = "Sessions", format_item = session_line }, function(session)
          if session then
            show(session.sessionId)
          end
        end)
      end)
    end,
  },
  search = {
    about = "find what was said in any session",
    run = function(call)
      local function search(wanted)
        if not wanted or wanted == "" then
          return
        end
        client.request("teamwright.session.search", { text = wanted }, function(result)
          if #result.hits == 0 then
            return notify.info(("%q was not said in any session."):format(wanted))
          end
          asking.select(result.hits, {
            prompt = "Found",
            format_item = function(hit)
              return text.one_line(hit.snippet, 100)
            end,
          }, function(hit)
            if hit then
              show(hit.sessionId)
            end
          end)
        end)
      end
      if call.text ~= "" then
        return search(call.text)
      end
      asking.input({ prompt = "Search all sessions: " }, search)
    end,
  },
  stats = {
    about = "show which agents win, agree, cost and break checks",
    run = function()
      client.request("teamwright.stats", {}, function(result)
        show_markdown(result.text)
      end)
    end,
  },
  fork = {
    about = "go on from the shown session in a new one, up to the turn under the transcript's cursor",
    run = on_current("fork", function(session)
      local params = { sessionId = session.id, atSeq = end_of_turn(session, split.entry_at_cursor()) }
      client.request("teamwright.session.fork", params, function(result)
        show(result.sessionId)
      end)
    end),
  },
  projects = {
    about = "choose a project for the session; `create NAME` and `select NAME` do it at once",
    complete = function(words)
      return #words == 0 and ON_PROJECT or {}
    end,
    run = function(call)
      if vim.list_contains(ON_PROJECT, call.words[1]) then
        return project(call.words[1], table.concat(call.words, " ", 2))
      end
      client.request("teamwright.project.list", {}, function(result)
        choose_project(result.projects)
      end)
    end,
  },
}
