-- A run in full: a tab with the run on top and a column for each agent, with what it does and says, as it comes. The
-- run has a transcript of its own, in which every entry names its agent.
local Pane = require("teamwright.ui.pane")
local Transcript = require("teamwright.transcript")
local TranscriptView = require("teamwright.ui.transcript_view")
local client = require("teamwright.client")
local connection = require("teamwright.connection")
local entries = require("teamwright.ui.entries")
local text = require("teamwright.ui.text")

local M = {}

local HEAD_SHARE = 0.3

---@class teamwright.OpenRun
---@field id string
---@field agents string[]
---@field transcript teamwright.TranscriptState
---@field columns table<string, integer> buffers, by agent

---@type table<string, teamwright.OpenRun>
local opened = {}

---@param runId string
---@param on_read? fun(run: teamwright.OpenRun)
local function read(runId, on_read)
  client.request("teamwright.run.open", { runId = runId }, function(result)
    local run = opened[runId] or { id = runId, transcript = Transcript.new(), columns = {} }
    opened[runId] = run
    run.agents = vim.tbl_map(function(agent)
      return agent.agentId
    end, result.run.agents)
    run.transcript:open(result.transcript)
    if on_read then
      on_read(run)
    end
  end)
end

---@param runId string
---@param patched teamwright.TranscriptPatched
function M.patch(runId, patched)
  local run = opened[runId]
  if run and not run.transcript:patch(patched) then
    read(runId)
  end
end

---@param run teamwright.OpenRun
local function draw_bars(run)
  local card = run.transcript.by_id[run.id]
  for agentId, bufnr in pairs(run.columns) do
    for _, window in ipairs(card and vim.fn.win_findbuf(bufnr) or {}) do
      vim.wo[window].winbar = entries.standing(card, agentId)
    end
  end
end

---@param run teamwright.OpenRun
---@param agentId? string without it: the run itself
---@return integer bufnr
local function column(run, agentId)
  local view = TranscriptView.new(("teamwright://run/%s/%s"):format(run.id, agentId or ""), function(entry)
    return entry.agentId == agentId
  end)
  local bufnr = view.pane.bufnr
  vim.bo[bufnr].bufhidden = "wipe"
  vim.keymap.set("n", "q", "<Cmd>tabclose<CR>", { buffer = bufnr, desc = "Close the run" })
  vim.keymap.set("n", "<C-o>", "<Cmd>Teamwright override<CR>", { buffer = bufnr, desc = "Choose another presenter" })
  vim.keymap.set("n", "<C-c>", "<Cmd>Teamwright cancel<CR>", { buffer = bufnr, desc = "Cancel the run" })
  view:show(run.transcript)
  return bufnr
end

---@param bufnr integer
---@param status string
local function dress(bufnr, status)
  vim.api.nvim_win_set_buf(0, bufnr)
  Pane.dress(0)
  vim.wo.statusline = " " .. text.in_bar(status)
end

---@param run teamwright.OpenRun
local function lay_out(run)
  vim.cmd.tabnew()
  vim.bo.bufhidden = "wipe"
  local head = column(run, nil)
  dress(head, "Run")
  vim.cmd(("rightbelow %dsplit"):format(math.floor(vim.o.lines * (1 - HEAD_SHARE))))
  for place, agentId in ipairs(run.agents) do
    if place > 1 then
      vim.cmd("rightbelow vsplit")
    end
    run.columns[agentId] = column(run, agentId)
    dress(run.columns[agentId], agentId)
    vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(0), 0 })
  end
  vim.cmd("horizontal wincmd =")
  vim.cmd("1wincmd w")
  run.transcript.watchers[run] = function(op)
    if not op or op.op == "upsert" and op.entry.entryId == run.id then
      draw_bars(run)
    end
  end
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = head,
    callback = function()
      opened[run.id] = nil
    end,
  })
  draw_bars(run)
end

---@param runId string
function M.open(runId)
  local run = opened[runId]
  local _, bufnr = next(run and run.columns or {})
  local window = bufnr and vim.fn.win_findbuf(bufnr)[1]
  if window then
    return vim.api.nvim_set_current_win(window)
  end
  read(runId, lay_out)
end

table.insert(connection.on_connected, function()
  for runId in pairs(opened) do
    read(runId)
  end
end)

return M
