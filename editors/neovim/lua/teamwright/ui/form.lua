-- What an action asks for, as a buffer: an object with a line for each field, in the server's words. Writing it sends
-- the action with what was changed; closing it sends nothing.
local actions = require("teamwright.actions")
local client = require("teamwright.client")
local notify = require("teamwright.notify")
local text = require("teamwright.ui.text")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("teamwright.form")

---@param value any
---@param indent string
---@param lines string[] the last one is continued
local function write_json(value, indent, lines)
  local function continue(said)
    lines[#lines] = lines[#lines] .. said
  end
  if type(value) ~= "table" or next(value) == nil then
    return continue(vim.json.encode(value))
  end
  local is_list = vim.islist(value)
  local keys = vim.tbl_keys(value)
  table.sort(keys)
  continue(is_list and "[" or "{")
  for place, key in ipairs(keys) do
    table.insert(lines, indent .. "  " .. (is_list and "" or vim.json.encode(key) .. ": "))
    write_json(value[key], indent .. "  ", lines)
    continue(place < #keys and "," or "")
  end
  table.insert(lines, indent .. (is_list and "]" or "}"))
end

---@param field teamwright.InputField
---@return any as it is shown: an option by its label
local function shown_value(field)
  for _, option in ipairs(field.options or {}) do
    if vim.deep_equal(option.value, field.value) then
      return option.label
    end
  end
  return field.value == nil and vim.NIL or field.value
end

---@param field teamwright.InputField
---@param shown any
---@return any as it is sent
local function meant_value(field, shown)
  for _, option in ipairs(field.options or {}) do
    if option.label == shown then
      return option.value
    end
  end
  return shown == nil and vim.NIL or shown
end

---@param field teamwright.InputField
---@return string beside its line
local function hint(field)
  local options = vim.tbl_map(function(option)
    return option.label
  end, field.options or {})
  return #options > 0 and table.concat(options, " | ") or field.placeholder or ""
end

---@class teamwright.FormGroup
---@field label? string
---@field fields teamwright.InputField[]

---@param fields teamwright.InputField[]
---@return teamwright.FormGroup[] in their order; what belongs to none comes first
local function groups_of(fields)
  local groups, by_label = { { fields = {} } }, {}
  for _, field in ipairs(fields) do
    local group = field.group and by_label[field.group] or not field.group and groups[1]
    if not group then
      group = { label = field.group, fields = {} }
      by_label[field.group] = group
      table.insert(groups, group)
    end
    table.insert(group.fields, field)
  end
  return vim.tbl_filter(function(group)
    return #group.fields > 0
  end, groups)
end

---@param groups teamwright.FormGroup[]
---@return string[] lines
---@return table<integer, string> hints by line, from 0
local function written(groups)
  local lines, hints = { "{" }, {}
  for place, group in ipairs(groups) do
    local indent = group.label and "    " or "  "
    if group.label then
      table.insert(lines, ("  %s: {"):format(vim.json.encode(group.label)))
    end
    for number, field in ipairs(group.fields) do
      table.insert(lines, ("%s%s: "):format(indent, vim.json.encode(field.label)))
      hints[#lines - 1] = hint(field)
      write_json(shown_value(field), indent, lines)
      local is_last = number == #group.fields and (group.label or place == #groups)
      lines[#lines] = lines[#lines] .. (is_last and "" or ",")
    end
    if group.label then
      table.insert(lines, place == #groups and "  }" or "  },")
    end
  end
  table.insert(lines, "}")
  return lines, hints
end

---@param action teamwright.Action
---@param groups teamwright.FormGroup[]
---@param edited table
---@return table arguments with what was changed
local function arguments_of(action, groups, edited)
  local arguments = vim.deepcopy(action.arguments)
  for _, group in ipairs(groups) do
    local values = not group.label and edited or type(edited[group.label]) == "table" and edited[group.label] or {}
    for _, field in ipairs(group.fields) do
      local shown = values[field.label]
      if not vim.deep_equal(shown == nil and vim.NIL or shown, shown_value(field)) then
        actions.put(arguments, field.path, meant_value(field, shown))
      end
    end
  end
  return arguments
end

---@param bufnr integer
---@param message string
local function show_fault(bufnr, message)
  local line = tonumber(message:match("line (%d+)")) or 1
  local last = vim.api.nvim_buf_line_count(bufnr)
  vim.diagnostic.set(NAMESPACE, bufnr, {
    { lnum = math.min(line, last) - 1, col = 0, message = message, source = "teamwright" },
  })
  notify.error(message)
end

---@param action teamwright.Action
---@param groups teamwright.FormGroup[]
---@param bufnr integer
local function send(action, groups, bufnr)
  local said = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), "\n")
  local ok, edited = pcall(vim.json.decode, said, { luanil = { object = true } })
  if not ok or type(edited) ~= "table" then
    return show_fault(bufnr, "this is not JSON: " .. tostring(edited):gsub("^.-:%d+: ", ""))
  end
  vim.diagnostic.reset(NAMESPACE, bufnr)
  actions.send(action.command --[[@as teamwright.CommandName]], arguments_of(action, groups, edited), function()
    vim.bo[bufnr].modified = false
    vim.api.nvim_buf_delete(bufnr, { force = true })
    notify.info("sent as it stood there.")
  end, function(fault)
    show_fault(bufnr, client.explain(fault))
  end)
end

---@param action teamwright.Action
---@param entry teamwright.Entry
function M.open(action, entry)
  local name = ("teamwright://form/%s/%s"):format(entry.entryId, action.key or action.label)
  local known = require("teamwright.buffers").named(name)
  if known then
    return vim.cmd("belowright sbuffer " .. known)
  end
  local groups = groups_of(action.input)
  local lines, hints = written(groups)
  vim.cmd("belowright new")
  local bufnr = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].buftype = "acwrite"
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].swapfile = false
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].filetype = "json"
  vim.bo[bufnr].modified = false
  for row, said in pairs(hints) do
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, row, 0, { virt_text = { { said, "TeamwrightMeta" } } })
  end
  local title = text.in_bar(text.one_line(entry.title, 60))
  vim.wo.winbar = ("%%#TeamwrightDecision# %s: :w sends what stands here, :q nothing"):format(title)
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = bufnr,
    callback = function()
      send(action, groups, bufnr)
    end,
  })
end

return M
