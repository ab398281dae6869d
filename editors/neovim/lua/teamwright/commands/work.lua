-- Giving work to the team: a task, a plan, something done with a piece of code; and the word on what comes of it.
local actions = require("teamwright.actions")
local asking = require("teamwright.ui.asking")
local decisions = require("teamwright.decisions")
local notify = require("teamwright.notify")
local sessions = require("teamwright.sessions")
local workspace = require("teamwright.workspace")

---@param params table
---@param prompt string
local function launch(params, prompt)
  local function go(task)
    if not task or vim.trim(task) == "" then
      return
    end
    params.task = task
    local session = sessions.current()
    params.sessionId = session and session.id
    actions.send("teamwright.launch_run", params)
  end
  if params.task ~= "" then
    return go(params.task)
  end
  asking.input({ prompt = prompt }, go)
end

---@param name "review"|"explain"|"fix"|"test"
---@param about string
---@return teamwright.Subcommand
local function with_team(name, about)
  return {
    about = about,
    run = function(call)
      local bufnr = vim.api.nvim_get_current_buf()
      local params = { instructions = call.text ~= "" and call.text or nil }
      if call.bang then
        params.diff = { base = "HEAD" }
      elseif call.selection then
        params.uri, params.range = call.selection.uri, call.selection.range
      elseif workspace.holds(bufnr) then
        params.uri = vim.uri_from_bufnr(bufnr)
      else
        return notify.warn(
          ("go to a file of the workspace first; `:Teamwright %s` works on it, or on the lines given."):format(name)
        )
      end
      actions.send("teamwright." .. name, params)
    end,
  }
end

local function review_changes()
  local session = sessions.current()
  local entry = session
    and session.transcript:latest():find(function(each)
      return actions.with_hunks(each) ~= nil
    end)
  if not entry then
    return notify.info("no changes wait for you.")
  end
  require("teamwright.ui.review").open(entry)
end

---@type table<string, teamwright.Subcommand>
return {
  run = {
    about = "give the team a task, with the given lines attached",
    run = function(call)
      launch({ task = call.text, attachments = call.selection and { call.selection } }, "Task for the team: ")
    end,
  },
  plan = {
    about = "let the team make a plan; you see it before anything is done",
    run = function(call)
      local params = { task = call.text, attachments = call.selection and { call.selection }, planningMode = true }
      launch(params, "Plan what: ")
    end,
  },
  review = with_team("review", "review the given lines or the file; `review!` what has changed since the last commit"),
  explain = with_team("explain", "explain the given lines or the file"),
  fix = with_team("fix", "fix the given lines or the file"),
  fix_checks = {
    about = "make the project's failing checks pass: the one that is named, or all",
    run = function(call)
      actions.send("teamwright.fix", call.text ~= "" and { checks = { call.text } } or vim.empty_dict())
    end,
  },
  test = with_team("test", "write tests for the given lines or the file"),
  approve = {
    about = "answer what waits for you; with several, choose which",
    run = decisions.choose,
  },
  respond = {
    about = "answer a question of the team in your own words",
    run = function(call)
      decisions.latest_asked("teamwright.respond", "no question is open.", function(action, entry)
        if call.text ~= "" then
          return actions.perform(action, entry, call.text)
        end
        actions.offer(entry)
      end)
    end,
  },
  override = {
    about = "choose another agent's answer to be presented, while the vote can be overruled",
    run = function()
      local without = "there is nothing to overrule: the window is open only between the vote and the presentation."
      decisions.latest_asked("teamwright.override", without, function(_, entry)
        actions.offer(entry)
      end)
    end,
  },
  changes = {
    about = "review what the team proposes to change; `undo` takes back what was applied",
    complete = function()
      return { "undo" }
    end,
    run = function(call)
      if call.words[1] ~= "undo" then
        return review_changes()
      end
      decisions.latest("teamwright.changes.undo", "there is nothing to take back.", actions.perform)
    end,
  },
  tasks = {
    about = "edit the list of tasks that the assistant keeps for big work",
    run = function()
      decisions.latest("teamwright.session.tasks", "there is no list of tasks yet.", actions.perform)
    end,
  },
  findings = {
    about = "what reviews found, as a quickfix list",
    run = function()
      require("teamwright.findings").open()
    end,
  },
}
