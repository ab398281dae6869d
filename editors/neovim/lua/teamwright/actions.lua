-- Actions: commands of the wire with their arguments filled in, offered in a card or by `vim.ui.select`, completed with
-- what they ask for, and sent.
local asking = require("teamwright.ui.asking")
local client = require("teamwright.client")
local config = require("teamwright.config")
local entries = require("teamwright.ui.entries")

local M = {}

---Commands that begin a session or go on with one.
local BEGIN = {
  "teamwright.chat",
  "teamwright.launch_run",
  "teamwright.run.continue",
  "teamwright.run.again",
  "teamwright.review",
  "teamwright.explain",
  "teamwright.fix",
  "teamwright.test",
}

---@param data teamwright.LinkData
function M.follow_link(data)
  -- Beside the transcript, not in its place.
  local window = vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(each)
    return vim.bo[vim.api.nvim_win_get_buf(each)].buftype == ""
  end)
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd.tabnew()
  end
  vim.cmd("normal! m'")
  -- Not `:edit`, which would read a file anew that is shown already.
  local bufnr = vim.uri_to_bufnr(data.uri)
  vim.bo[bufnr].buflisted = true
  vim.api.nvim_win_set_buf(0, bufnr)
  if data.range then
    local last = vim.api.nvim_buf_line_count(0)
    vim.api.nvim_win_set_cursor(0, { math.min(data.range.start.line + 1, last), 0 })
  end
end

---A session that a command begins or goes on with is shown.
---@param command teamwright.CommandName
---@param params table
---@param on_done? fun()
---@param on_fault? fun(fault: teamwright.Fault)
function M.send(command, params, on_done, on_fault)
  local begins = vim.list_contains(BEGIN, command)
  client.request(command, params, function(result)
    if begins then
      require("teamwright.sessions").open(result.sessionId)
      require("teamwright.ui.split").open()
    end
    if on_done then
      on_done()
    end
  end, on_fault)
end

---What an editor shows in its own way instead of sending it.
---@type table<string, fun(arguments: table, entry: teamwright.Entry)>
local OWN = {
  ["teamwright.run.open"] = function(arguments)
    require("teamwright.ui.run_view").open(arguments.runId)
  end,
  ["teamwright.run.report"] = function(arguments)
    require("teamwright.report").save(arguments.runId)
  end,
  ["teamwright.changes.open"] = function(arguments, entry)
    require("teamwright.ui.review").open(entry, arguments.uri)
  end,
}

---@param arguments table
---@param path string[]
---@param value any
function M.put(arguments, path, value)
  for place = 1, #path - 1 do
    local inner = arguments[path[place]]
    if type(inner) ~= "table" then
      inner = {}
      arguments[path[place]] = inner
    end
    arguments = inner
  end
  arguments[path[#path]] = value
end

---@param field teamwright.InputField
---@param answer fun(value: any)
local function ask_for(field, answer)
  if field.kind == "choice" or field.kind == "flag" then
    local options = field.options or { { label = "Yes", value = true }, { label = "No", value = false } }
    local said = {
      prompt = field.label,
      format_item = function(option)
        return option.label
      end,
    }
    return asking.select(options, said, function(option)
      if option then
        answer(option.value)
      end
    end)
  end
  asking.input({ prompt = field.label .. ": ", default = field.value and tostring(field.value) }, function(said)
    if said and (said ~= "" or not field.required) then
      answer(field.kind == "number" and (tonumber(said) or vim.NIL) or said)
    end
  end)
end

---@param action teamwright.Action
---@return teamwright.InputField[] what has to be asked for; hunks are ticked in the review, and all of them without it
local function questions(action)
  return vim.tbl_filter(function(field)
    return field.kind ~= "hunks"
  end, action.input or {})
end

---@param action teamwright.Action
---@param entry teamwright.Entry
---@param given? string the answer to its only question, if it is known
function M.perform(action, entry, given)
  if OWN[action.command] then
    return OWN[action.command](action.arguments, entry)
  end
  local command, arguments =
    action.command, --[[@as teamwright.CommandName]]
    vim.deepcopy(action.arguments)
  local fields = questions(action)
  if #fields == 0 then
    return M.send(command, arguments)
  elseif #fields > 1 or fields[1].kind == "rows" then
    return require("teamwright.ui.form").open(action, entry)
  end
  local function answer(value)
    M.put(arguments, fields[1].path, value)
    M.send(command, arguments)
  end
  if given and given ~= "" then
    return answer(given)
  end
  ask_for(fields[1], answer)
end

---@param entry teamwright.Entry
---@return teamwright.Action? the one for which hunks can be ticked
function M.with_hunks(entry)
  return vim.iter(entry.actions):find(function(action)
    return vim.iter(action.input or {}):any(function(field)
      return field.kind == "hunks"
    end)
  end)
end

---@class teamwright.Offer
---@field key string
---@field label string
---@field run fun()

---@param entry teamwright.Entry
---@param part? string
---@return teamwright.Offer[]
local function choices(entry, part)
  local offered = part and vim.tbl_filter(function(action)
    return action.part == part
  end, entry.actions) or entries.actions(entry)
  local found = {}
  for place, action in ipairs(offered) do
    local function run()
      M.perform(action, entry)
    end
    table.insert(found, { key = action.key or tostring(place), label = action.label, run = run })
  end
  if not part and M.with_hunks(entry) then
    local function review()
      require("teamwright.ui.review").open(entry)
    end
    table.insert(found, { key = "r", label = "Review", run = review })
  end
  return found
end

---@param entry teamwright.Entry
---@param part? string only what belongs to this part of it
---@return boolean whether there is anything to offer
function M.offer(entry, part)
  local offered = choices(entry, part)
  if #offered == 0 then
    return false
  end
  if config.get().decisions == "card" then
    require("teamwright.ui.card").open(entry, offered)
    return true
  end
  asking.select(offered, {
    prompt = entry.title,
    format_item = function(choice)
      return choice.label
    end,
  }, function(choice)
    if choice then
      choice.run()
    end
  end)
  return true
end

---The editor would send these by itself, and nobody would show the session that they begin.
---@return table<string, fun(command: lsp.Command)> for `vim.lsp`
function M.of_code_actions()
  local commands = {}
  for _, name in ipairs(vim.list_extend({ "teamwright.finding.dismiss" }, BEGIN)) do
    commands[name] = function(command)
      M.send(name --[[@as teamwright.CommandName]], command.arguments[1])
    end
  end
  return commands
end

return M
