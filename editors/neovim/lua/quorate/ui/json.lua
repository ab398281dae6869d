-- JSON to be read and edited by a person: indented, keys in order, what matters first.
local M = {}

local FIRST = { "task", "title", "context", "agentMode", "agents", "refinement", "planningMode", "contextPaths" }

---@param object table
---@return string[]
local function keys_of(object)
  local rank = {}
  for place, key in ipairs(FIRST) do
    rank[key] = place
  end
  local keys = vim.tbl_keys(object)
  table.sort(keys, function(one, other)
    local first, second = rank[one] or math.huge, rank[other] or math.huge
    return first == second and one < other or first < second
  end)
  return keys
end

---@param value any
---@param indent string
---@param lines string[] the last one is continued
local function write(value, indent, lines)
  local function continue(text)
    lines[#lines] = lines[#lines] .. text
  end
  if type(value) ~= "table" or next(value) == nil then
    return continue(vim.json.encode(value))
  end
  local is_list = vim.islist(value)
  continue(is_list and "[" or "{")
  local keys = is_list and vim.tbl_keys(value) or keys_of(value)
  for place, key in ipairs(keys) do
    table.insert(lines, indent .. "  " .. (is_list and "" or vim.json.encode(key) .. ": "))
    write(value[key], indent .. "  ", lines)
    continue(place < #keys and "," or "")
  end
  table.insert(lines, indent .. (is_list and "]" or "}"))
end

---@param value any
---@return string[]
function M.lines(value)
  local lines = { "" }
  write(value, "", lines)
  return lines
end

return M
