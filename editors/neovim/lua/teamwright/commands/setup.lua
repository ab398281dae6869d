-- The server itself: how it stands, what it wrote, whom it trusts, how it is installed.
local client = require("teamwright.client")
local notify = require("teamwright.notify")
local text = require("teamwright.ui.text")
local workspace = require("teamwright.workspace")

---@param status teamwright.StatusResult
---@return string[]
local function status_lines(status)
  local lines =
    { ("Teamwright %s"):format(status.versions.server), workspace.root() .. (status.trusted and "" or " (untrusted)") }
  table.insert(lines, "modes: " .. require("teamwright.ui.status").modes(status.modes))
  for _, agent in ipairs(status.agents) do
    table.insert(lines, text.joined({ agent.agentId, agent.backend, agent.model, agent.health, agent.detail }))
  end
  local limits = status.limits
  table.insert(
    lines,
    ("%d of %s at work"):format(limits.activeSessions, text.count(limits.maxActiveSessions, "session"))
  )
  table.insert(
    lines,
    text.joined({ text.count(#status.decisions, "decision") .. " waiting", text.cost(status.costUsd) })
  )
  return lines
end

---@type table<string, teamwright.Subcommand>
return {
  status = {
    about = "the agents with their health, the modes, what waits, what it cost",
    run = function()
      client.request("teamwright.status", {}, function(status)
        require("teamwright.ui.card").show("Teamwright", status_lines(status))
      end)
    end,
  },
  log = {
    about = "open the log of the server and the client",
    run = function()
      vim.cmd("tabnew " .. vim.fn.fnameescape(vim.lsp.log.get_filename()))
      vim.cmd("normal! G")
    end,
  },
  trust = {
    about = "let what lies in this folder configure the team and be changed by it; `trust!` takes it back",
    run = function(call)
      local trusted = not call.bang
      workspace.remember(trusted)
      require("teamwright.ui.split").refresh()
      local connected = require("teamwright.connection").client()
      if connected then
        -- The server says what that means.
        connected:notify("workspace/didChangeConfiguration", { settings = { teamwright = { trusted = trusted } } })
      else
        notify.info(("%s is %s."):format(workspace.root(), trusted and "trusted" or "no longer trusted"))
      end
    end,
  },
  install = {
    about = "set up the server that this plugin came with, in an environment of its own",
    run = function()
      require("teamwright.install").run()
    end,
  },
}
