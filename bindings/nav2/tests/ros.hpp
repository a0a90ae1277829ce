// Stand-ins for what the plugin of docs/nav2.md uses of ROS: as much as it takes to compile and run it.
#ifndef ROS_HPP
#define ROS_HPP

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace rclcpp {

using Time = int;

class ParameterValue {
  public:
    template <class T>
    explicit ParameterValue(const T &value) : value_(value) {}
    template <class T>
    T get_value() const {
        return std::get<T>(value_);
    }

  private:
    std::variant<bool, double, std::string> value_;
};

} // namespace rclcpp

namespace rclcpp_lifecycle {

struct LifecycleNode {
    using SharedPtr = std::shared_ptr<LifecycleNode>;
    using WeakPtr = std::weak_ptr<LifecycleNode>;
    std::map<std::string, rclcpp::ParameterValue> parameters;

    rclcpp::Time now() const { return 7; }
    const rclcpp::ParameterValue &get_parameter(const std::string &name) const { return parameters.at(name); }
};

} // namespace rclcpp_lifecycle

namespace nav2_util {

inline void declare_parameter_if_not_declared(const rclcpp_lifecycle::LifecycleNode::SharedPtr &node,
                                              const std::string &name, const rclcpp::ParameterValue &otherwise) {
    node->parameters.emplace(name, otherwise);
}

} // namespace nav2_util

namespace geometry_msgs::msg {

struct Header {
    std::string frame_id;
    rclcpp::Time stamp = 0;
};
struct Position { double x = 0.0, y = 0.0, z = 0.0; };
struct Quaternion { double x = 0.0, y = 0.0, z = 0.0, w = 1.0; };
struct PoseStamped {
    Header header;
    struct {
        Position position;
        Quaternion orientation;
    } pose;
};

} // namespace geometry_msgs::msg

namespace nav_msgs::msg {

struct Path {
    geometry_msgs::msg::Header header;
    std::vector<geometry_msgs::msg::PoseStamped> poses;
};

} // namespace nav_msgs::msg

namespace tf2 {

inline double getYaw(const geometry_msgs::msg::Quaternion &turn) { return 2.0 * std::atan2(turn.z, turn.w); }

} // namespace tf2

namespace tf2_ros {

struct Buffer {};

} // namespace tf2_ros

namespace nav2_costmap_2d {

struct Costmap2D {
    using mutex_t = std::recursive_mutex;
    unsigned int width = 60, height = 40;
    std::vector<unsigned char> costs = std::vector<unsigned char>(width * height);
    mutex_t mutex;

    mutex_t *getMutex() { return &mutex; }
    unsigned int getSizeInCellsX() const { return width; }
    unsigned int getSizeInCellsY() const { return height; }
    double getResolution() const { return 0.05; }
    double getOriginX() const { return -1.0; }
    double getOriginY() const { return -1.0; }
    unsigned char *getCharMap() { return costs.data(); }
};

struct Costmap2DROS {
    Costmap2D costmap;

    Costmap2D *getCostmap() { return &costmap; }
    std::string getGlobalFrameID() const { return "map"; }
};

} // namespace nav2_costmap_2d

namespace nav2_core {

struct PlannerException : std::runtime_error { using std::runtime_error::runtime_error; };
struct StartOccupied : PlannerException { using PlannerException::PlannerException; };
struct GoalOccupied : PlannerException { using PlannerException::PlannerException; };
struct StartOutsideMapBounds : PlannerException { using PlannerException::PlannerException; };
struct GoalOutsideMapBounds : PlannerException { using PlannerException::PlannerException; };
struct NoValidPathCouldBeFound : PlannerException { using PlannerException::PlannerException; };
struct PlannerTimedOut : PlannerException { using PlannerException::PlannerException; };
struct PlannerCancelled : PlannerException { using PlannerException::PlannerException; };

class GlobalPlanner {
  public:
    virtual ~GlobalPlanner() = default;
    virtual void configure(const rclcpp_lifecycle::LifecycleNode::WeakPtr &parent, std::string name,
                           std::shared_ptr<tf2_ros::Buffer> tf,
                           std::shared_ptr<nav2_costmap_2d::Costmap2DROS> costmap_ros) = 0;
    virtual void cleanup() = 0;
    virtual void activate() = 0;
    virtual void deactivate() = 0;
    virtual nav_msgs::msg::Path createPlan(const geometry_msgs::msg::PoseStamped &start,
                                           const geometry_msgs::msg::PoseStamped &goal,
                                           std::function<bool()> cancel_checker) = 0;
};

} // namespace nav2_core

#define PLUGINLIB_EXPORT_CLASS(derived, base) static_assert(std::is_base_of_v<base, derived>);

#endif
