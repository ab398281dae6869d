-- `:Teamwright install`: the server that this plugin came with, in an environment of its own, made in the background
-- with uv or Python. Never by its name from a registry: that name is anybody's.
local config = require("teamwright.config")
local notify = require("teamwright.notify")
local server = require("teamwright.server")

local M = {}

local TIMEOUT_MS = 600000
local running = false

---@class teamwright.InstallSource
---@field path string a wheel, or a checkout
---@field lock? string exactly which versions its dependencies have

---@class teamwright.InstallStep
---@field about string
---@field argv string[]

---@class teamwright.Installed what is remembered of an installation
---@field from string
---@field version string

---@return string this plugin's own folder
local function plugin()
  return vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h:h")
end

---@param path string
---@return boolean
local function exists(path)
  return vim.uv.fs_stat(path) ~= nil
end

---@param path string
---@return boolean whether it is a checkout of Teamwright, and not of just anything
local function is_checkout(path)
  return exists(vim.fs.joinpath(path, "pyproject.toml")) and exists(vim.fs.joinpath(path, "server", "teamwright"))
end

---@return teamwright.InstallSource?
---@return string? why there is none
function M.source()
  local given = config.get().install_from
  local folder = vim.fs.joinpath(plugin(), "server")
  local carried = {}
  for name in vim.fs.dir(folder) do
    if name:find("^teamwright%-.*%.whl$") then
      table.insert(carried, vim.fs.joinpath(folder, name))
    end
  end
  table.sort(carried)
  local checkout = vim.fn.fnamemodify(plugin(), ":h:h")
  local path = given and vim.fs.normalize(given) or carried[#carried] or (is_checkout(checkout) and checkout)
  if not path then
    return nil,
      "this plugin carries no server; name a wheel or a checkout of Teamwright as `install_from` in your setup."
  elseif not exists(path) or not (path:find("%.whl$") or is_checkout(path)) then
    return nil, ("`install_from` is %q, which is neither a wheel nor a checkout of Teamwright."):format(path)
  end
  local lock = vim.fs.joinpath(path:find("%.whl$") and vim.fs.dirname(path) or path, "requirements.lock")
  return { path = path, lock = exists(lock) and lock or nil }
end

---@param source teamwright.InstallSource
---@param install string[]
---@param anew string[] options that replace an older one of the same version
---@return teamwright.InstallStep[]
local function packages(source, install, anew)
  local steps = {}
  local function step(about, ...)
    table.insert(steps, { about = about, argv = vim.list_extend(vim.list_slice(install), { ... }) })
  end
  if source.lock then
    step("what the server needs", "-r", source.lock)
    step(
      "the server, from " .. source.path,
      "--no-deps",
      unpack(vim.list_extend(vim.list_slice(anew), { source.path }))
    )
  else
    step("the server, from " .. source.path, unpack(vim.list_extend(vim.list_slice(anew), { source.path })))
  end
  return steps
end

---@param source teamwright.InstallSource
---@return teamwright.InstallStep[]? one after the other
---@return string? why there are none
local function plan(source)
  local about = "an environment of its own, in " .. server.environment()
  local python = server.in_environment("python")
  if vim.fn.executable("uv") == 1 then
    local make = { "uv", "venv", "--quiet", "--allow-existing", "--python", ">=3.11", server.environment() }
    local install = { "uv", "pip", "install", "--quiet", "--compile-bytecode", "--python", python }
    local anew = { "--reinstall-package", "teamwright" }
    return vim.list_extend({ { about = about, argv = make } }, packages(source, install, anew))
  end
  for _, name in ipairs({ "python3", "python" }) do
    if vim.fn.executable(name) == 1 then
      local recent = { name, "-c", "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 is needed')" }
      local steps = {
        { about = "Python 3.11 or newer", argv = recent },
        { about = about, argv = { name, "-m", "venv", server.environment() } },
      }
      local install = { python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check" }
      return vim.list_extend(steps, packages(source, install, { "--force-reinstall" }))
    end
  end
  return nil, "neither uv nor Python 3.11 is on the PATH; install one of them first."
end

---@return string
local function register()
  return vim.fs.joinpath(server.home(), "installed.json")
end

---@return teamwright.Installed? what the last installation brought, and from where
function M.installed()
  local file = io.open(register(), "r")
  if not file then
    return nil
  end
  local ok, installed = pcall(vim.json.decode, file:read("*a"))
  file:close()
  return ok and installed or nil
end

---@param source teamwright.InstallSource
local function finish(source)
  server.identify({ server.in_environment("teamwright"), "serve" }, function(why, identity)
    running = false
    if why or not identity then
      return notify.error("what was installed does not answer as Teamwright: " .. (why or "it says nothing."))
    end
    local file = assert(io.open(register(), "w"))
    file:write(vim.json.encode({ from = source.path, version = identity.version }))
    file:close()
    notify.info(("Teamwright %s is installed; `:Teamwright chat` starts it."):format(identity.version))
  end)
end

---@param source teamwright.InstallSource
---@param steps teamwright.InstallStep[]
---@param place integer
local function go(source, steps, place)
  local step = steps[place]
  if not step then
    return finish(source)
  end
  notify.info(("installing, %d of %d: %s"):format(place, #steps, step.about))
  vim.system(step.argv, { text = true, timeout = TIMEOUT_MS }, function(done)
    if done.code == 0 then
      return vim.schedule(function()
        go(source, steps, place + 1)
      end)
    end
    running = false
    local said = vim.trim(done.stderr ~= "" and done.stderr or done.stdout or "")
    local failed = "the installation failed (code %d) at `%s`: %s"
    notify.error(failed:format(done.code, table.concat(step.argv, " "), said))
  end)
end

function M.run()
  if running then
    return notify.info("the installation is under way.")
  end
  local source, why = M.source()
  local steps
  if source then
    steps, why = plan(source)
  end
  if not source or not steps then
    return notify.error(why --[[@as string]])
  end
  running = true
  go(source, steps, 1)
end

return M
