-- Commands to the server, and what it answers. Every request is settled once: by the answer, a deadline, or the end.
local config = require("teamwright.config")
local connection = require("teamwright.connection")
local notify = require("teamwright.notify")
local workspace = require("teamwright.workspace")

local M = {}

---@class teamwright.Fault
---@field code integer
---@field message string
---@field data? table

---@type table<integer, fun(fault: teamwright.Fault)> requests under way, by their number
local asked = {}
local last_number = 0

---@param fault teamwright.Fault
---@return string one sentence, with the fields that are wrong
function M.explain(fault)
  local errors = vim.tbl_get(fault, "data", "errors") or {}
  local fields = vim.tbl_map(function(each)
    return ("%s %s"):format(each.path, each.message)
  end, errors)
  local text = #fields > 0 and ("%s (%s)"):format(fault.message, table.concat(fields, "; ")) or fault.message
  if fault.code == 403 and not workspace.is_trusted() then
    text = text .. " This folder is not trusted; `:Teamwright trust` trusts it."
  end
  return text
end

---@param fault teamwright.Fault
local function tell(fault)
  notify.error(M.explain(fault))
end

---@param on_result? fun(result: table)
---@param on_fault fun(fault: teamwright.Fault)
---@return fun(fault?: table, result?: table) settle
local function once(on_result, on_fault)
  last_number = last_number + 1
  local number = last_number
  local function settle(fault, result)
    if not asked[number] then
      return
    end
    asked[number] = nil
    if fault then
      on_fault(connection.without_nulls(fault))
    elseif on_result then
      on_result(connection.without_nulls(result))
    end
  end
  asked[number] = settle
  return settle
end

---@param command teamwright.CommandName
---@param params table
---@param on_result? fun(result: table)
---@param on_fault? fun(fault: teamwright.Fault) without it the user is told
function M.request(command, params, on_result, on_fault)
  on_fault = on_fault or tell
  connection.ensure(function(client)
    local settle = once(on_result, on_fault)
    local arguments = { next(params) and params or vim.empty_dict() }
    client:request("workspace/executeCommand", { command = command, arguments = arguments }, settle)
    vim.defer_fn(function()
      settle({ code = 504, message = ("the server has not answered %s; see `:Teamwright log`."):format(command) })
    end, config.get().request_timeout_ms)
  end, function(why)
    on_fault({ code = 503, message = why })
  end)
end

table.insert(connection.on_lost, function()
  for _, settle in pairs(vim.tbl_extend("force", {}, asked)) do
    settle({ code = 503, message = "the server ended before it answered; try again." })
  end
end)

return M
