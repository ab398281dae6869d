-- `:checkhealth teamwright`
local M = {}

---A health check is asked for and watched: it may wait, unlike everything else here.
---@param holds fun(): boolean?
local function wait_for(holds)
  vim.wait(require("teamwright.config").get().request_timeout_ms, holds)
end

local function check_editor()
  vim.health.start("Neovim")
  if vim.fn.has("nvim-0.11") == 1 then
    vim.health.ok("version " .. tostring(vim.version()))
  else
    vim.health.error("Neovim 0.11 or newer is needed")
  end
  if pcall(vim.treesitter.language.add, "markdown") then
    vim.health.ok("the markdown parser is there: answers are highlighted")
  else
    vim.health.warn("no markdown parser: answers are highlighted by the old syntax")
  end
end

---@return boolean
local function check_server()
  vim.health.start("Server")
  local server, install = require("teamwright.server"), require("teamwright.install")
  local installed = install.installed()
  if installed then
    vim.health.ok(("installed: Teamwright %s, from %s"):format(installed.version, installed.from))
  else
    local source, none = install.source()
    local would = source and "not installed by `:Teamwright install`, which would take it from " .. source.path
    vim.health.info(would or none --[[@as string]])
  end
  local argv, why = server.find()
  if not argv then
    vim.health.error(why --[[@as string]], { "Run `:Teamwright install`", "or set `cmd` in your setup" })
    return false
  end
  vim.health.ok("command: " .. table.concat(argv, " "))
  local asked, objection, identity
  server.identify(argv, function(...)
    asked, objection, identity = true, ...
  end)
  wait_for(function()
    return asked
  end)
  if objection or not asked then
    vim.health.error(objection or "it does not say who it is", { "Run `:Teamwright install`" })
    return false
  end
  vim.health.ok(
    identity and "it is Teamwright " .. identity.version or "it cannot be asked who it is; its greeting tells"
  )
  return true
end

local function check_team()
  vim.health.start("Team")
  local client = require("teamwright.client")
  local status, fault
  client.request("teamwright.status", {}, function(result)
    status = result
  end, function(problem)
    fault = problem
  end)
  wait_for(function()
    return status ~= nil or fault ~= nil
  end)
  if not status then
    vim.health.error(fault and client.explain(fault) or "the server does not answer", { "See `:Teamwright log`" })
    return
  end
  vim.health.ok(("server %s, protocol %d"):format(status.versions.server, status.versions.protocol))
  for _, agent in ipairs(status.agents) do
    local line =
      require("teamwright.ui.text").joined({ agent.agentId, agent.backend, agent.model, agent.health, agent.detail })
    local tell = agent.health == "ok" and vim.health.ok
      or agent.health == "unknown" and vim.health.info
      or vim.health.warn
    tell(line)
  end
end

local function check_folder()
  local workspace = require("teamwright.workspace")
  vim.health.start("Folder")
  vim.health.info("workspace: " .. workspace.root())
  if workspace.is_trusted() then
    vim.health.ok("it is trusted")
  else
    vim.health.info(
      "it is not trusted: its own configuration is not read, and nothing in it is run; `:Teamwright trust` trusts it"
    )
  end
end

function M.check()
  check_editor()
  check_folder()
  if check_server() then
    check_team()
  end
end

return M
