// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Runs lists of calls at one block, each list with gas of its own: contracts of anyone may burn all
/// they get.
/// @dev Never deployed: `eth_call` runs the constructor, which returns one page.
/// service/indexer/isolatedReads.ts reads it. A page is a byte 1 (EIP-3541 forbids 0xef), then per list that
/// was run until gas or room ended: a byte, 1 if it used up its gas and 0 else; then per call the number of
/// words of its answer in 2 bytes (0 if it failed), and per word its length in a byte and its low bytes.
contract IsolatedReads {
  /// @dev EIP-170, for what a constructor returns, and its price per byte (yellow paper: G_codedeposit).
  uint256 private constant MAX_BYTES = 24_576;
  uint256 private constant BYTE_GAS = 200;

  /// @dev Of an answer; a longer one counts as failed.
  uint256 private constant MAX_ANSWER = 6_144;

  /// @dev Above what copying an answer costs.
  uint256 private constant COPY_GAS = 100_000;

  /// @dev Of a size: the call's contract is the answer to an earlier call.
  uint256 private constant ANSWERED = 0x8000;

  /// @dev Per call of an answered contract, so that none takes the gas of the others in its list: several
  /// times what a view behind two proxies needs.
  uint256 private constant ANSWERED_GAS = 100_000;

  /// @param lists Per list the number of calls in 2 bytes, then per call the contract 20, its data's size 2,
  /// and the data. With bit 15 of the size the contract is the first word that an earlier call of the list
  /// has answered, whose number stands in its place.
  /// @param listGas Maximum gas of a list.
  /// @param gasBudget Maximum gas of all.
  constructor(bytes memory lists, uint256 listGas, uint256 gasBudget) {
    uint256 floor = gasleft() > gasBudget ? gasleft() - gasBudget : 0;
    floor += BYTE_GAS * MAX_BYTES + COPY_GAS;
    // Beyond the end for the last answer of a page, which is then left out.
    bytes memory page = new bytes(MAX_BYTES + 2 * MAX_ANSWER);
    page[0] = 0x01;
    uint256 end = 1;
    for (uint256 offset = 0; offset < lists.length;) {
      if (gasleft() * 63 / 64 <= floor + listGas) break;
      (uint256 next, uint256 last) = runList(lists, offset, page, end, listGas);
      if (last > MAX_BYTES) break;
      (offset, end) = (next, last);
    }
    assembly ("memory-safe") {
      return(add(page, 32), end)
    }
  }

  /// @return next Where the next list begins.
  /// @return last Where the list's answers end; beyond MAX_BYTES if they find no room.
  function runList(bytes memory lists, uint256 offset, bytes memory page, uint256 end, uint256 listGas)
    private
    view
    returns (uint256 next, uint256 last)
  {
    uint256 left = listGas;
    next = offset + 2;
    last = end + 1;
    uint256[] memory answers = new uint256[](number(lists, offset, 2));
    for (uint256 i = 0; i < answers.length; i++) {
      if (last <= MAX_BYTES) {
        uint256 used = gasleft();
        bool isRead = ask(lists, next, left, answers);
        used -= gasleft();
        left = used < left ? left - used : 0;
        answers[i] = firstWord(isRead);
        last = append(page, last, isRead);
      }
      next += 22 + number(lists, next + 20, 2) % ANSWERED;
    }
    // A call that burns all of its gas leaves a 64th to each caller (EIP-150).
    if (left < listGas / 8) page[end] = 0x01;
  }

  function ask(bytes memory lists, uint256 offset, uint256 gasLimit, uint256[] memory answers)
    private
    view
    returns (bool isRead)
  {
    uint256 to = number(lists, offset, 20);
    uint256 size = number(lists, offset + 20, 2);
    if (size >= ANSWERED) {
      size -= ANSWERED;
      to = to < answers.length ? answers[to] : 0;
      if (to == 0 || to > type(uint160).max) return false;
      if (gasLimit > ANSWERED_GAS) gasLimit = ANSWERED_GAS;
    }
    assembly ("memory-safe") {
      isRead := staticcall(gasLimit, to, add(add(lists, 54), offset), size, 0, 0)
      if gt(returndatasize(), MAX_ANSWER) { isRead := 0 }
    }
  }

  /// @return word Of what the last call has returned; 0 if it has failed.
  function firstWord(bool isRead) private pure returns (uint256 word) {
    assembly ("memory-safe") {
      if and(isRead, gt(returndatasize(), 31)) {
        returndatacopy(0, 0, 32)
        word := mload(0)
      }
    }
  }

  /// @dev Writes what the last call has returned.
  function append(bytes memory page, uint256 end, bool isRead) private pure returns (uint256 last) {
    assembly ("memory-safe") {
      let place := add(add(page, 32), end)
      let count := mul(isRead, shr(5, returndatasize()))
      mstore8(place, shr(8, count))
      mstore8(add(place, 1), count)
      place := add(place, 2)
      // Not allocated, since memory would grow with every call.
      let copy := mload(64)
      let edge := add(copy, shl(5, count))
      returndatacopy(copy, 0, shl(5, count))
      for {} lt(copy, edge) { copy := add(copy, 32) } {
        let length := 0
        for { let rest := mload(copy) } rest { rest := shr(8, rest) } { length := add(length, 1) }
        mstore8(place, length)
        // Shifted by 256 bits a value of no bytes is zero.
        mstore(add(place, 1), shl(shl(3, sub(32, length)), mload(copy)))
        place := add(add(place, 1), length)
      }
      last := sub(sub(place, page), 32)
    }
  }

  /// @return found The number of `size` bytes at `at`.
  function number(bytes memory data, uint256 offset, uint256 size) private pure returns (uint256 found) {
    assembly ("memory-safe") {
      found := shr(shl(3, sub(32, size)), mload(add(add(data, 32), offset)))
    }
  }
}
