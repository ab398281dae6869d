-- A run as a page of its own, where the user wants it.
local asking = require("teamwright.ui.asking")
local client = require("teamwright.client")
local notify = require("teamwright.notify")

local M = {}

---@param runId string
function M.save(runId)
  client.request("teamwright.run.report", { runId = runId }, function(result)
    asking.input({ prompt = "Save the report as: ", default = result.name, completion = "file" }, function(name)
      if not name or name == "" then
        return
      end
      local path = vim.fs.normalize(vim.fn.fnamemodify(name, ":p"))
      local file, fault = io.open(path, "wb")
      if not file then
        return notify.error(("the report cannot be saved: %s."):format(fault))
      end
      file:write(result.text)
      file:close()
      notify.info(("the report is saved as %s."):format(vim.fn.fnamemodify(path, ":~:.")))
    end)
  end)
end

return M
