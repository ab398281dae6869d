-- Messages to the user: one sentence each, never a prompt to press Enter in the middle of typing.
local M = {}

---@param level integer
---@return fun(text: string)
local function at(level)
  return function(text)
    vim.schedule(function()
      vim.notify("Quorate: " .. text, level, { title = "Quorate" })
    end)
  end
end

M.info = at(vim.log.levels.INFO)
M.warn = at(vim.log.levels.WARN)
M.error = at(vim.log.levels.ERROR)

return M
