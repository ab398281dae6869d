-- Giving work to the team: a task, a plan, or something done with a piece of code.
local client = require("quorate.client")
local code_actions = require("quorate.code_actions")
local conversation = require("quorate.conversation")
local notify = require("quorate.notify")
local workspace = require("quorate.workspace")

---@param params table
---@param prompt string
local function launch(params, prompt)
  local function go(task)
    if not task or vim.trim(task) == "" then
      return
    end
    params.task = task
    local session = conversation.current()
    params.sessionId = session and session.id
    client.request("quorate.launch_run", params, code_actions.launched)
  end
  if params.task ~= "" then
    return go(params.task)
  end
  vim.ui.input({ prompt = prompt }, go)
end

---@param selection? quorate.AttachmentInput
---@return string? what the agents are told of the lines that were given
local function context_of(selection)
  if not selection then
    return nil
  end
  local first, last = selection.range.start.line, selection.range["end"].line
  local path = workspace.relative(vim.uri_to_fname(selection.uri))
  local lines = vim.api.nvim_buf_get_lines(vim.uri_to_bufnr(selection.uri), first, last + 1, false)
  return ("%s, lines %d to %d:\n%s"):format(path, first + 1, last + 1, table.concat(lines, "\n"))
end

---@param name "review"|"explain"|"fix"|"test"
---@param about string
---@return quorate.Subcommand
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
          ("go to a file of the workspace first; `:Quorate %s` works on it, or on the lines given."):format(name)
        )
      end
      code_actions.launch("quorate." .. name, params)
    end,
  }
end

---@type table<string, quorate.Subcommand>
return {
  run = {
    about = "give the team a task, with the given lines as context",
    run = function(call)
      launch({ task = call.text, context = context_of(call.selection) }, "Task for the team: ")
    end,
  },
  plan = {
    about = "let the team make a plan; you see it before anything is done",
    run = function(call)
      launch({ task = call.text, context = context_of(call.selection), planningMode = true }, "Plan what: ")
    end,
  },
  review = with_team("review", "review the given lines or the file; `review!` what has changed since the last commit"),
  explain = with_team("explain", "explain the given lines or the file"),
  fix = with_team("fix", "fix the given lines or the file"),
  test = with_team("test", "write tests for the given lines or the file"),
}
