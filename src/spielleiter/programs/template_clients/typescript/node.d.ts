// The few types of Node that client.ts uses. With `npm install @types/node` delete this file: that has them all.

declare module "node:net" {
  export interface Socket {
    write(text: string): void;
    end(text: string): void;
    destroy(): void;
    setEncoding(encoding: "utf8"): void;
    on(event: "data", listener: (piece: string) => void): void;
    on(event: "error", listener: (problem: Error & { code?: string }) => void): void;
    once(event: "connect", listener: () => void): void;
  }

  export function connect(options: { host: string; port: number; noDelay: boolean }): Socket;
}

declare const process: { argv: string[]; exitCode: number };
declare const console: { error(text: string): void };
