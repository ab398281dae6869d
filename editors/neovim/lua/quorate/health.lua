-- `:checkhealth quorate`
local M = {}

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
  local argv, why = require("quorate.server").find()
  if not argv then
    vim.health.error(
      why --[[@as string]],
      { "Run `:Quorate install`", "or put `quorate` on the PATH", "or set `cmd` in your setup" }
    )
    return false
  end
  vim.health.ok("command: " .. table.concat(argv, " "))
  return true
end

local function check_team()
  vim.health.start("Team")
  local client = require("quorate.client")
  local status, fault
  client.request("quorate.status", {}, function(result)
    status = result
  end, function(problem)
    fault = problem
  end)
  -- A health check is asked for and watched: it may wait, unlike everything else here.
  vim.wait(30000, function()
    return status ~= nil or fault ~= nil
  end)
  if not status then
    vim.health.error(fault and client.explain(fault) or "the server does not answer", { "See `:Quorate log`" })
    return
  end
  vim.health.ok(("server %s, protocol %d"):format(status.versions.server, status.versions.protocol))
  for _, agent in ipairs(status.agents) do
    local line =
      require("quorate.ui.text").joined({ agent.agentId, agent.backend, agent.model, agent.health, agent.detail })
    local tell = agent.health == "ok" and vim.health.ok
      or agent.health == "unknown" and vim.health.info
      or vim.health.warn
    tell(line)
  end
end

local function check_folder()
  local workspace = require("quorate.workspace")
  vim.health.start("Folder")
  vim.health.info("workspace: " .. workspace.root())
  if workspace.is_trusted() then
    vim.health.ok("it is trusted")
  else
    vim.health.info(
      "it is not trusted: its own configuration is not read, and nothing in it is run; `:Quorate trust` trusts it"
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
