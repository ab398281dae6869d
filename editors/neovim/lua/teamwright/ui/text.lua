-- Lines and columns.
local M = {}

---@param text string
---@return string[]
function M.lines(text)
  return vim.split((text or ""):gsub("\r\n?", "\n"), "\n", { plain = true })
end

---@param lines string[]
---@return string[] as a buffer takes them, whatever the server said
function M.each_on_one_line(lines)
  return vim.tbl_map(function(line)
    return (line:gsub("\n", " "))
  end, lines)
end

---@param text? string
---@param width? integer
---@return string one line, cut at the width
function M.one_line(text, width)
  local line = vim.trim((text or ""):gsub("%s+", " "))
  width = width or 80
  if vim.fn.strdisplaywidth(line) <= width then
    return line
  end
  return vim.fn.strcharpart(line, 0, width - 1) .. "…"
end

---@param text string
---@param width integer
---@param right? boolean
---@return string
function M.pad(text, width, right)
  local space = (" "):rep(width - vim.fn.strdisplaywidth(text))
  return right and space .. text or text .. space
end

---@param usd? number
---@return string
function M.cost(usd)
  if not usd or usd == 0 then
    return ""
  end
  return usd < 0.01 and "<$0.01" or ("$%.2f"):format(usd)
end

---@param count integer
---@param noun string
---@return string
function M.count(count, noun)
  return ("%d %s%s"):format(count, noun, count == 1 and "" or "s")
end

---@param parts (string?)[]
---@param separator? string
---@return string those that say something
function M.joined(parts, separator)
  local said = {}
  for index = 1, table.maxn(parts) do
    if parts[index] and parts[index] ~= "" then
      table.insert(said, parts[index])
    end
  end
  return table.concat(said, separator or " · ")
end

---@param said string
---@return string as a status line or a winbar takes it
function M.in_bar(said)
  return (said:gsub("%%", "%%%%"))
end

return M
