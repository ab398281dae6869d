-- What comes off the wire, in one form for every Neovim: a null is a field that is not there.
local M = {}

---@generic T
---@param value T
---@return T the same table
function M.without_nulls(value)
  if type(value) ~= "table" then
    return value
  end
  for key, each in pairs(value) do
    if each == vim.NIL then
      value[key] = nil
    elseif type(each) == "table" then
      M.without_nulls(each)
    end
  end
  return value
end

return M
