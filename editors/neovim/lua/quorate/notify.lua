-- Messages to the user. What does not fit one line would stop the user at a prompt, so it is shown in a corner instead.
local M = {}

local SHOWN_MS = 10000
local GROUPS = { [vim.log.levels.ERROR] = "DiagnosticError", [vim.log.levels.WARN] = "DiagnosticWarn" }

---@return boolean whether messages go to the editor's last line, and not to a plugin: what is built in has no file
local function is_plain()
  local source = debug.getinfo(vim.notify, "S").source
  return not (vim.startswith(source, "@") and vim.uv.fs_stat(source:sub(2)))
end

---@param said string
---@param level integer
local function show_in_corner(said, level)
  local lines = vim.split(said, "\n", { plain = true })
  local widest = 0
  for _, line in ipairs(lines) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line))
  end
  local width = math.max(1, math.min(widest, math.floor(vim.o.columns * 0.6)))
  local height = 0
  for _, line in ipairs(lines) do
    height = height + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].modifiable = true
  vim.bo[bufnr].bufhidden = "wipe"
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  local window = vim.api.nvim_open_win(bufnr, false, {
    relative = "editor",
    anchor = "SE",
    row = vim.o.lines - vim.o.cmdheight - 1,
    col = vim.o.columns,
    width = width,
    height = math.min(height, vim.o.lines - 4),
    style = "minimal",
    border = "rounded",
    focusable = false,
    noautocmd = true,
    zindex = 200,
  })
  vim.wo[window].wrap, vim.wo[window].linebreak = true, true
  vim.wo[window].winhighlight = "NormalFloat:" .. (GROUPS[level] or "NormalFloat")
  vim.defer_fn(function()
    pcall(vim.api.nvim_win_close, window, true)
  end, SHOWN_MS)
end

---@param level integer
---@return fun(text: string)
local function at(level)
  return function(text)
    vim.schedule(function()
      local said = "Quorate: " .. text
      -- While text is typed, the last line belongs to the mode.
      local is_typing = vim.api.nvim_get_mode().mode:find("^[iR]") ~= nil
      local fits = not is_typing and not said:find("\n") and vim.fn.strdisplaywidth(said) <= vim.v.echospace
      if fits or not is_plain() then
        vim.notify(said, level, { title = "Quorate" })
      else
        show_in_corner(said, level)
      end
    end)
  end
end

M.info = at(vim.log.levels.INFO)
M.warn = at(vim.log.levels.WARN)
M.error = at(vim.log.levels.ERROR)

return M
