/** A command's words were not understood. The message is for the person who typed them. */
export class CommandMisuse extends Error {
  override readonly name = 'CommandMisuse';
}
