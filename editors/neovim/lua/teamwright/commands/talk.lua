-- Talking: to the assistant, into a run under way, and about the modes they work in.
local actions = require("teamwright.actions")
local asking = require("teamwright.ui.asking")
local client = require("teamwright.client")
local decisions = require("teamwright.decisions")
local notify = require("teamwright.notify")
local sessions = require("teamwright.sessions")
local split = require("teamwright.ui.split")

---@param body string
---@param selection? teamwright.AttachmentInput
local function ask(body, selection)
  if body == "" then
    return
  end
  split.open()
  local function say()
    sessions.say(body, { selection })
  end
  if sessions.current() then
    return say()
  end
  sessions.continue_latest(say)
end

---@param focus boolean
local function open(focus)
  local _, composer = split.open()
  if focus then
    vim.api.nvim_set_current_win(composer)
    vim.cmd.startinsert({ bang = true })
  end
  require("teamwright.connection").ensure(function()
    if not sessions.current() then
      sessions.continue_latest(function() end)
    end
  end)
end

local MODES = {
  plan = { "true", "false", "auto" },
  agentMode = { "single", "multi", "auto" },
  agentId = {},
  refinement = { "true", "false", "auto" },
  autonomy = { "hitl", "autonomous" },
  team = { "auto", "always", "never" },
}

---@param key string
---@param value string
---@return any what the wire says for it
local function mode_value(key, value)
  if value == "true" or value == "false" then
    return value == "true"
  end
  return value == "auto" and key ~= "team" and vim.NIL or value
end

---@param modes table
local function set_modes(modes)
  local session = sessions.current()
  local function tell(now)
    notify.info("modes: " .. require("teamwright.ui.status").modes(now))
  end
  if not session then
    for key, value in pairs(modes) do
      if value == vim.NIL then
        value = nil
      end
      sessions.modes_of_next[key] = value
    end
    return tell(sessions.modes_of_next)
  end
  modes.sessionId = session.id
  client.request("teamwright.modes", modes, tell)
end

local function choose_mode()
  local names = vim.tbl_keys(MODES)
  table.sort(names)
  asking.select(names, { prompt = "Teamwright mode" }, function(name)
    if not name or #MODES[name] == 0 then
      return
    end
    asking.select(MODES[name], { prompt = name }, function(value)
      if value then
        set_modes({ [name] = mode_value(name, value) })
      end
    end)
  end)
end

---@type table<string, teamwright.Subcommand>
return {
  chat = {
    about = "open the split and write; `chat!` starts a new session, `chat close` closes the split",
    complete = function()
      return { "close" }
    end,
    run = function(call)
      if call.words[1] == "close" then
        return split.close()
      end
      if call.bang then
        sessions.start_afresh()
        local _, composer = split.open()
        return vim.api.nvim_set_current_win(composer)
      end
      if call.text ~= "" then
        return ask(call.text, call.selection)
      end
      open(true)
    end,
  },
  ask = {
    about = "ask the assistant, with the given lines attached; the cursor stays",
    run = function(call)
      if call.text ~= "" then
        return ask(call.text, call.selection)
      end
      asking.input({ prompt = "Ask Teamwright: " }, function(body)
        ask(vim.trim(body or ""), call.selection)
      end)
    end,
  },
  steer = {
    about = "say something to the agents of the run under way",
    run = function(call)
      local without = "no run is under way; `:Teamwright ask` talks to the assistant."
      decisions.latest("teamwright.steer", without, function(action, entry)
        actions.perform(action, entry, call.text)
      end)
    end,
  },
  cancel = {
    about = "cancel the run, or the turn, that is under way",
    run = function()
      local waiting = decisions.pending()[1]
      local nothing = waiting and ("nothing is at work; what waits for you is `:Teamwright approve`: " .. waiting.title)
        or "nothing is under way."
      local session = sessions.current()
      local offered = session and session.transcript:offers("teamwright.cancel") or {}
      if #offered < 2 then
        return decisions.latest("teamwright.cancel", nothing, actions.perform)
      end
      asking.select(offered, {
        prompt = "Stop what",
        format_item = function(each)
          local what = each.entry.kind == "message" and each.entry.parts[1].text or each.entry.title
          return ("%s: %s"):format(each.action.label, what)
        end,
      }, function(each)
        if each then
          actions.perform(each.action, each.entry)
        end
      end)
    end,
  },
  modes = {
    about = "set a mode: plan, agentMode, agentId, refinement, autonomy or team",
    complete = function(words)
      return #words == 0 and vim.tbl_keys(MODES) or MODES[words[1]] or {}
    end,
    run = function(call)
      local key, value = call.words[1], call.words[2]
      if not key then
        return choose_mode()
      end
      if not MODES[key] then
        return notify.error(("there is no mode %q; there are %s."):format(key, table.concat(vim.tbl_keys(MODES), ", ")))
      end
      if key == "plan" and not value then
        local session = sessions.current()
        local in_force = session and session.summary.modes or sessions.modes_of_next
        local planning = in_force.plan
        return set_modes({ plan = planning and vim.NIL or true })
      end
      set_modes({ [key] = mode_value(key, value or "auto") })
    end,
  },
}
