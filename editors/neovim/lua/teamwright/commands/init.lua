-- `:Teamwright`: one command, its subcommands in a table, each with what completes it.
local notify = require("teamwright.notify")

local M = {}

---@class teamwright.Call
---@field text string what follows the subcommand, as it was typed
---@field words string[]
---@field bang boolean
---@field selection? teamwright.AttachmentInput the range that was given, or nothing

---@class teamwright.Subcommand
---@field run fun(call: teamwright.Call)
---@field about string
---@field complete? fun(words: string[]): string[]

local GROUPS = { "talk", "work", "browse", "setup" }

---@type table<string, teamwright.Subcommand>?
local table_of_all

---@return table<string, teamwright.Subcommand>
function M.all()
  if not table_of_all then
    table_of_all = {}
    for _, group in ipairs(GROUPS) do
      for name, subcommand in pairs(require("teamwright.commands." .. group)) do
        table_of_all[name] = subcommand
      end
    end
  end
  return table_of_all
end

---@return string[]
local function names()
  local all = vim.tbl_keys(M.all())
  table.sort(all)
  return all
end

---@param call table as `nvim_create_user_command` gives it
---@return teamwright.AttachmentInput?
local function selection_of(call)
  if call.range == 0 then
    return nil
  end
  local last = vim.api.nvim_buf_get_lines(0, call.line2 - 1, call.line2, false)[1] or ""
  return {
    uri = vim.uri_from_bufnr(0),
    range = {
      start = { line = call.line1 - 1, character = 0 },
      ["end"] = { line = call.line2 - 1, character = vim.str_utfindex(last, "utf-16") },
    },
  }
end

---@param call table
function M.run(call)
  require("teamwright.events")
  local name, text = call.args:match("^%s*(%S+)%s*(.-)%s*$")
  name = name or "chat"
  local subcommand = M.all()[name]
  if not subcommand then
    return notify.error(("there is no `:Teamwright %s`; there are %s."):format(name, table.concat(names(), ", ")))
  end
  text = text or ""
  subcommand.run({
    text = text,
    words = vim.split(text, "%s+", { trimempty = true }),
    bang = call.bang,
    selection = selection_of(call),
  })
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local typed = vim.split(line:gsub("^.-Teamwright!?%s*", ""), "%s+")
  local offered
  if #typed <= 1 then
    offered = names()
  else
    local subcommand = M.all()[typed[1]]
    offered = subcommand and subcommand.complete and subcommand.complete(vim.list_slice(typed, 2, #typed - 1)) or {}
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, offered)
end

return M
