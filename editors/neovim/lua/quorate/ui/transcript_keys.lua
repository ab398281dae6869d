-- What keys do in a transcript: they act on the thing under the cursor.
local M = {}

---@param view quorate.StreamView
function M.map(view)
  local bufnr = view.pane.bufnr
  local function map(lhs, rhs, desc)
    vim.keymap.set("n", lhs, rhs, { buffer = bufnr, desc = desc })
  end
  map("<CR>", function()
    local entry = view:entry_at_cursor(0)
    if not entry then
      return
    elseif entry.kind == "decision" and not entry.resolution then
      require("quorate.decisions").ask(entry.id)
    elseif entry.kind == "changes" then
      require("quorate.changes").review(view.session, entry.runId)
    elseif entry.kind == "run" or entry.kind == "run_end" then
      require("quorate.ui.run_view").open(view.session, entry.runId)
    else
      vim.cmd("silent! normal! za")
    end
  end, "Open what is under the cursor")
  map("i", "<Cmd>Quorate chat<CR>", "Write a message")
  map("a", "<Cmd>Quorate approve<CR>", "Answer what waits for you")
  map("<S-Tab>", "<Cmd>Quorate modes plan<CR>", "Plan mode")
  map("<C-o>", "<Cmd>Quorate override<CR>", "Choose another presenter")
  map("<C-c>", "<Cmd>Quorate cancel<CR>", "Cancel what is under way")
  map("q", "<Cmd>Quorate chat close<CR>", "Close the split")
end

return M
