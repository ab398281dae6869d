return require("quorate.client").lsp_config()
