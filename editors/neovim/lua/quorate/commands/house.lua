-- The house itself: how it stands, what it wrote, what it proposes, whom it trusts, how it is set up.
local client = require("quorate.client")
local conversation = require("quorate.conversation")
local notify = require("quorate.notify")
local text = require("quorate.ui.text")
local workspace = require("quorate.workspace")

---@param status quorate.StatusResult
---@return string[]
local function status_lines(status)
  local lines =
    { ("Quorate %s"):format(status.versions.server), workspace.root() .. (status.trusted and "" or " (untrusted)") }
  table.insert(lines, "modes: " .. require("quorate.ui.status").modes(status.modes))
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

---@type table<string, quorate.Subcommand>
return {
  status = {
    about = "the agents with their health, the modes, what waits, what it cost",
    run = function()
      client.request("quorate.status", {}, function(status)
        require("quorate.ui.float").open("Quorate", status_lines(status))
      end)
    end,
  },
  changes = {
    about = "review what the team proposes to change; `undo` takes back what was applied",
    complete = function()
      return { "undo" }
    end,
    run = function(call)
      local changes = require("quorate.changes")
      if call.words[1] == "undo" then
        return changes.undo(conversation.current())
      end
      changes.choose(conversation.current())
    end,
  },
  findings = {
    about = "what reviews found, as a quickfix list",
    run = function()
      require("quorate.findings").open(conversation.current())
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
      require("quorate.ui.winbar").draw()
      local connected = require("quorate.connection").client()
      if connected then
        -- The server says what that means.
        connected:notify("workspace/didChangeConfiguration", { settings = { quorate = { trusted = trusted } } })
      else
        notify.info(("%s is %s."):format(workspace.root(), trusted and "trusted" or "no longer trusted"))
      end
    end,
  },
  install = {
    about = "set up the server in Neovim's data directory, with uv or Python",
    run = function()
      require("quorate.install").run()
    end,
  },
}
