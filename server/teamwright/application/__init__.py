"""What Teamwright does, one typed function a command: what every door calls, and all that it calls.

A door (the language server, the MCP server, the terminal) opens the application, says who listens, and calls:

    async with opened_application(lambda: client_context) as application:
        context = application.context_for(listener)                    # it hears what becomes of the client's commands
        answer = await chat.chat(context, ChatParams(text="Hello"))    # typed params in, the typed result out

The functions stand in modules by subject: `chat`, `runs`, `decisions`, `sessions`, `projects`, `changes`, `reviews`,
`modes`, `remembered`, `tasks`, `status`. Each raises a `UserError` whose sentence is for people. A door that has a
command's name and JSON reads them with `dispatch.read_call` and carries the call out with `dispatch.carry_out`.

Whoever needs the history alone, without a team or its configuration, opens that (`history`). `lifecycle` has what a
door opens, and the types that it passes in.
"""
