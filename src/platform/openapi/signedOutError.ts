import { type ErrorDetails, SwitchboardError } from '../../base/errors/errors.ts';

/** A sign-in that has ended, or is none. */
export class SignedOutError extends SwitchboardError {
  constructor(
    message: string,
    readonly baseUrl: string,
    details: ErrorDetails = {},
  ) {
    super('key', message, details);
  }
}
