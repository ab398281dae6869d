-- Menus and prompts, by whatever the user has put behind `vim.ui`. Leaving one by Ctrl-C answers it: with nothing.
local M = {}

---@param ask fun(on_answer: fun(answer: any))
---@param on_answer fun(answer: any)
local function answered(ask, on_answer)
  local ok, fault = pcall(ask, on_answer)
  if ok then
    return
  end
  if tostring(fault):find("Keyboard interrupt", 1, true) then
    return on_answer(nil)
  end
  error(fault, 0)
end

---@generic T
---@param items T[]
---@param options table as of `vim.ui.select`
---@param on_choice fun(item?: T)
function M.select(items, options, on_choice)
  answered(function(take)
    vim.ui.select(items, options, take)
  end, on_choice)
end

---@param options table as of `vim.ui.input`
---@param on_text fun(text?: string)
function M.input(options, on_text)
  answered(function(take)
    vim.ui.input(options, take)
  end, on_text)
end

return M
