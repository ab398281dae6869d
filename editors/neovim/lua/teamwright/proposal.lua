-- Changes under review: the diffs of an entry, with the user's verdict on each hunk, and what is sent for them.
local client = require("teamwright.client")

---@alias teamwright.Verdict "accepted"|"refused"

---@class teamwright.Proposal
---@field runId string
---@field files teamwright.DiffPart[]
---@field verdicts table<string, table<integer, teamwright.Verdict>> by file and hunk
local Proposal = {}
Proposal.__index = Proposal

local WHOLE = -1

---@param entry teamwright.Entry
---@return teamwright.Proposal
function Proposal.new(entry)
  local files = vim.tbl_filter(function(part)
    return part.kind == "diff"
  end, entry.parts)
  local verdicts = {}
  for _, file in ipairs(files) do
    verdicts[file.data.uri] = {}
  end
  return setmetatable({ runId = entry.runId, files = files, verdicts = verdicts }, Proposal)
end

---A file that is created or deleted has no hunks to choose from; it counts as one.
---@param file teamwright.DiffPart
---@return integer[]
function Proposal.parts(file)
  if file.data.change ~= "edit" then
    return { WHOLE }
  end
  return vim.tbl_map(function(hunk)
    return hunk.index
  end, file.data.hunks)
end

---@param uri? string
---@return integer place of that file, or of the first
function Proposal:place(uri)
  for place, file in ipairs(self.files) do
    if file.data.uri == uri then
      return place
    end
  end
  return 1
end

---@return integer
function Proposal:undecided()
  local count = 0
  for _, file in ipairs(self.files) do
    for _, part in ipairs(Proposal.parts(file)) do
      count = count + (self.verdicts[file.data.uri][part] and 0 or 1)
    end
  end
  return count
end

---@return teamwright.FileChoice[] what was accepted
function Proposal:_accepted()
  local accepted = {}
  for _, file in ipairs(self.files) do
    local uri, parts = file.data.uri, Proposal.parts(file)
    local taken = vim.tbl_filter(function(part)
      return self.verdicts[uri][part] == "accepted"
    end, parts)
    if #taken == #parts then
      table.insert(accepted, { uri = uri })
    elseif #taken > 0 then
      table.insert(accepted, { uri = uri, hunks = taken })
    end
  end
  return accepted
end

---@param on_done fun()
function Proposal:settle(on_done)
  local files = self:_accepted()
  if #files == 0 then
    return client.request("teamwright.changes.discard", { runId = self.runId }, on_done)
  end
  client.request("teamwright.changes.apply", { runId = self.runId, files = files }, on_done)
end

---The hunks as a quickfix list, each with its first line that is not as it was.
function Proposal:list_hunks()
  local items = {}
  for _, file in ipairs(self.files) do
    for _, hunk in ipairs(file.data.change == "edit" and file.data.hunks or {}) do
      local changed = vim.iter(hunk.lines):find(function(line)
        return line:sub(1, 1) ~= " "
      end)
      local path = vim.uri_to_fname(file.data.uri)
      table.insert(items, { filename = path, lnum = math.max(1, hunk.oldStart), text = changed or "" })
    end
  end
  vim.fn.setqflist({}, " ", { title = "Teamwright changes", items = items })
end

return Proposal
