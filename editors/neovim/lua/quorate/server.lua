-- Where the server is: a configured command, a program on the PATH, or the one that `:Quorate install` made.
local config = require("quorate.config")

local M = {}

---@return string the virtual environment that `:Quorate install` builds
function M.environment()
  return vim.fs.joinpath(vim.fn.stdpath("data") --[[@as string]], "quorate", "server")
end

---@param program string
---@return string
function M.in_environment(program)
  local windows = vim.fn.has("win32") == 1
  return vim.fs.joinpath(M.environment(), windows and "Scripts" or "bin", windows and program .. ".exe" or program)
end

---@return string[]? argv
---@return string? why there is none, as a sentence to act on
function M.find()
  local cmd = config.get().cmd
  if cmd then
    if #cmd > 0 and vim.fn.executable(cmd[1]) == 1 then
      return cmd
    end
    return nil,
      ("the configured server command %q is not a program that can be run; correct `cmd` in your setup."):format(
        cmd[1] or ""
      )
  end
  for _, program in ipairs({ "quorate", M.in_environment("quorate") }) do
    if vim.fn.executable(program) == 1 then
      return { program, "serve" }
    end
  end
  return nil, "the server is not installed; `:Quorate install` sets it up, or put `quorate` on the PATH."
end

return M
