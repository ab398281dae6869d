/** Why there is no server, and what the user can do about it. */
export class SetupFault extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
