/** The file as a whole, or what is asked of its table, cannot be used. The message is for the person who gave it. */
export class InputFault extends Error {
  override readonly name = 'InputFault';
}

export const fail = (message: string): never => {
  throw new InputFault(message);
};
