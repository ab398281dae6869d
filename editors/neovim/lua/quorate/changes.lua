-- What the team proposes to change: chosen, reviewed hunk by hunk, settled, taken back.
local client = require("quorate.client")
local notify = require("quorate.notify")
local text = require("quorate.ui.text")
local workspace = require("quorate.workspace")

local M = {}

---@alias quorate.Verdict "accepted"|"refused"

---@class quorate.Proposal a change set under review
---@field runId string
---@field changes quorate.Change[]
---@field verdicts table<string, table<integer, quorate.Verdict>> by file and hunk
local Proposal = {}
Proposal.__index = Proposal

---A file that is created or deleted has no hunks to choose from; it counts as one.
---@param change quorate.Change
---@return integer[]
function M.parts(change)
  if #change.hunks == 0 then
    return { -1 }
  end
  return vim.tbl_map(function(hunk)
    return hunk.index
  end, change.hunks)
end

---@param set quorate.ChangeSet
---@return quorate.Proposal
local function propose(set)
  local verdicts = {}
  for _, change in ipairs(set.changes) do
    verdicts[change.uri] = {}
  end
  return setmetatable({ runId = set.runId, changes = set.changes, verdicts = verdicts }, Proposal)
end

---@return integer
function Proposal:undecided()
  local count = 0
  for _, change in ipairs(self.changes) do
    for _, part in ipairs(M.parts(change)) do
      count = count + (self.verdicts[change.uri][part] and 0 or 1)
    end
  end
  return count
end

---@return quorate.FileChoice[] what was accepted
function Proposal:accepted()
  local files = {}
  for _, change in ipairs(self.changes) do
    local parts = M.parts(change)
    local taken = vim.tbl_filter(function(part)
      return self.verdicts[change.uri][part] == "accepted"
    end, parts)
    if #taken == #parts then
      table.insert(files, { uri = change.uri })
    elseif #taken > 0 then
      table.insert(files, { uri = change.uri, hunks = taken })
    end
  end
  return files
end

---@param result quorate.ChangesResult
local function report(result)
  local lines = vim.tbl_map(function(file)
    return text.joined({ workspace.relative(vim.uri_to_fname(file.uri)), file.outcome, file.reason })
  end, result.settled)
  notify.info(#lines > 0 and table.concat(lines, "\n") or "nothing was changed.")
end

---@param on_done fun()
function Proposal:settle(on_done)
  local files = self:accepted()
  local function done(result)
    report(result)
    on_done()
  end
  if #files == 0 then
    return client.request("quorate.changes.discard", { runId = self.runId }, done)
  end
  client.request("quorate.changes.apply", { runId = self.runId, files = files }, done)
end

---@param proposal quorate.Proposal
local function list_hunks(proposal)
  local items = {}
  for _, change in ipairs(proposal.changes) do
    local path = vim.uri_to_fname(change.uri)
    for number, hunk in ipairs(change.hunks) do
      table.insert(items, {
        filename = path,
        lnum = math.max(1, hunk.oldStart),
        text = ("%s: −%d +%d, hunk %d of %d"):format(
          change.kind,
          hunk.oldLines,
          hunk.newLines,
          number,
          #change.hunks
        ),
      })
    end
  end
  vim.fn.setqflist({}, " ", { title = "Quorate changes", items = items })
end

---@param session quorate.Session
---@param runId string
function M.review(session, runId)
  local set = session and session.changes[runId]
  if not set then
    return notify.info("this run proposes no changes.")
  elseif set.settled then
    return notify.info("these changes are settled; `:Quorate changes undo` takes them back.")
  end
  local proposal = propose(set)
  list_hunks(proposal)
  require("quorate.ui.review").open(proposal)
end

---@param session? quorate.Session
---@param settled boolean
---@return quorate.ChangeSet[] the newest last
local function sets(session, settled)
  local found = vim.tbl_filter(function(set)
    return (set.settled ~= nil) == settled
  end, vim.tbl_values(session and session.changes or {}))
  table.sort(found, function(one, other)
    return one.runId < other.runId
  end)
  return found
end

---@param session? quorate.Session
function M.choose(session)
  local open = sets(session, false)
  if #open == 0 then
    return notify.info("no changes wait for you.")
  end
  M.review(session --[[@as quorate.Session]], open[#open].runId)
end

---@param session? quorate.Session
function M.undo(session)
  local settled = sets(session, true)
  if #settled == 0 then
    return notify.info("there is nothing to take back.")
  end
  client.request("quorate.changes.undo", { runId = settled[#settled].runId }, report)
end

return M
