-- `:Quorate install`: the server in a virtual environment of its own, made in the background with uv or Python.
local config = require("quorate.config")
local notify = require("quorate.notify")
local server = require("quorate.server")

local M = {}

local TIMEOUT_MS = 600000
local running = false

---@return string[][]? commands one after the other
---@return string? why there are none
local function plan()
  local package = config.get().package
  if vim.fn.executable("uv") == 1 then
    return {
      { "uv", "venv", "--quiet", "--allow-existing", "--python", ">=3.11", server.environment() },
      { "uv", "pip", "install", "--quiet", "--upgrade", "--python", server.in_environment("python"), package },
    }
  end
  for _, python in ipairs({ "python3", "python" }) do
    if vim.fn.executable(python) == 1 then
      return {
        { python, "-m", "venv", server.environment() },
        { server.in_environment("python"), "-m", "pip", "install", "--quiet", "--upgrade", package },
      }
    end
  end
  return nil, "neither uv nor Python 3.11 is on the PATH; install one of them first."
end

---@param commands string[][]
---@param place integer
local function go(commands, place)
  local command = commands[place]
  if not command then
    running = false
    return notify.info("the server is installed; `:Quorate chat` starts it.")
  end
  notify.info(table.concat(command, " "))
  vim.system(command, { text = true, timeout = TIMEOUT_MS }, function(done)
    if done.code == 0 then
      return vim.schedule(function()
        go(commands, place + 1)
      end)
    end
    running = false
    local said = vim.trim(done.stderr ~= "" and done.stderr or done.stdout or "")
    notify.error(("the installation failed (code %d) at `%s`: %s"):format(done.code, table.concat(command, " "), said))
  end)
end

function M.run()
  if running then
    return notify.info("the installation is under way.")
  end
  local commands, why = plan()
  if not commands then
    return notify.error(why --[[@as string]])
  end
  running = true
  go(commands, 1)
end

return M
