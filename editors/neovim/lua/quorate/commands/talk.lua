-- Talking: to the assistant, into a run under way, and about the modes they work in.
local client = require("quorate.client")
local conversation = require("quorate.conversation")
local notify = require("quorate.notify")
local split = require("quorate.ui.split")

---@param body string
---@param selection? quorate.AttachmentInput
local function ask(body, selection)
  if body == "" then
    return
  end
  split.open()
  local function say()
    conversation.say(body, { selection })
  end
  if conversation.current() then
    return say()
  end
  conversation.continue_latest(say)
end

---@param focus boolean
local function open(focus)
  local _, composer = split.open()
  if focus then
    vim.api.nvim_set_current_win(composer)
    vim.cmd.startinsert({ bang = true })
  end
  require("quorate.connection").ensure(function()
    if not conversation.current() then
      conversation.continue_latest(function() end)
    end
  end)
end

---@return string? a run of the session that is under way
local function run_under_way()
  local session = conversation.current()
  for runId, run in pairs(session and session.runs or {}) do
    if run.phase ~= "finished" then
      return runId
    end
  end
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
  local session = conversation.current()
  modes.sessionId = session and session.id
  client.request("quorate.modes", modes, function(now)
    notify.info("modes: " .. require("quorate.ui.status").modes(now))
  end)
end

local function choose_mode()
  local names = vim.tbl_keys(MODES)
  table.sort(names)
  vim.ui.select(names, { prompt = "Quorate mode" }, function(name)
    if not name or #MODES[name] == 0 then
      return
    end
    vim.ui.select(MODES[name], { prompt = name }, function(value)
      if value then
        set_modes({ [name] = mode_value(name, value) })
      end
    end)
  end)
end

---@type table<string, quorate.Subcommand>
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
        conversation.start_afresh()
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
      vim.ui.input({ prompt = "Ask Quorate: " }, function(body)
        ask(vim.trim(body or ""), call.selection)
      end)
    end,
  },
  steer = {
    about = "say something to the agents of the run under way",
    run = function(call)
      local runId = run_under_way()
      if not runId then
        return notify.warn("no run is under way; `:Quorate ask` talks to the assistant.")
      end
      local function send(body)
        if body and body ~= "" then
          client.request("quorate.steer", { runId = runId, text = body }, function(result)
            notify.info("told " .. table.concat(result.delivered, ", ") .. ".")
          end)
        end
      end
      if call.text ~= "" then
        return send(call.text)
      end
      vim.ui.input({ prompt = "To the team: " }, send)
    end,
  },
  cancel = {
    about = "cancel the run, or the turn, that is under way",
    run = function()
      local session = conversation.current()
      local runId = run_under_way()
      local params = runId and { runId = runId } or session and session.turnId and { turnId = session.turnId }
      if not params then
        return notify.info("nothing is under way.")
      end
      client.request("quorate.cancel", params)
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
        local session = conversation.current()
        local planning = session and session.summary.modes and session.summary.modes.plan
        return set_modes({ plan = planning and vim.NIL or true })
      end
      set_modes({ [key] = mode_value(key, value or "auto") })
    end,
  },
}
